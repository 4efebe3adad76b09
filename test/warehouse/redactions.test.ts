// Under which rules of redaction chats were decoded, also in files that were made before there were any.
import { expect, test } from 'vitest';
import { chatsByRedaction } from '#warehouse/read/redactions.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { addChats } from './account.ts';

test('chats are counted by account and rules; a file of an earlier version knows of none', async () => {
  const engine = await openWarehouse(':memory:');
  await addChats(engine, [
    { start: '2026-03-01T08:00:00Z' },
    { start: '2026-03-01T09:00:00Z' },
    { start: '2026-03-02T09:00:00Z' },
  ]);
  await engine.exec(`update facts.chats set redaction = 'r' where started_at < timestamptz '2026-03-02 00:00:00+00'`);
  expect(await chatsByRedaction(engine)).toEqual([
    { account: 'default', redaction: 'r', chats: 2 },
    { account: 'default', redaction: null, chats: 1 },
  ]);
  await engine.exec('alter table facts.chats drop column redaction');
  expect(await chatsByRedaction(engine)).toEqual([{ account: 'default', redaction: null, chats: 3 }]);
  await engine.close();
});
