// The first query of the page SQL gives the numbers of the page Chats, also where the account's day is another than that of UTC.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { starter } from '#lib/sql/starter.ts';
import { ask } from '#warehouse/engines/console.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account } from '../warehouse/account.ts';

test('it counts chats by the day of the account', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-starter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const engine = await account(
    [{ start: '2026-05-05T23:00:00Z' }, { start: '2026-05-06T10:00:00Z' }],
    'Asia/Kathmandu',
  );
  const { file } = await publish(engine, folder, Date.parse('2027-02-01T00:00:00Z'));
  await engine.close();
  const { rows } = await ask(file, starter.replace('limit 20', 'limit 400'), { rows: 400 });
  expect(rows.filter(([, chats]) => Number(chats) > 0)).toEqual([['2026-05-06', '2']]);
});
