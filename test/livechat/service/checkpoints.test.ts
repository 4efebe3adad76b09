// Checkpoints beside the service: what was written comes into the file by itself while it stays open, and the thread ends when it is told.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCheckpoints } from '#service/checkpoints.ts';
import { openStore } from '#service/store.ts';
import { until } from './webhooks/receiver.ts';

it('what was written leaves the log for the file while the store is open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
  const file = join(folder, 'service.sqlite');
  const store = openStore(file);
  store.leaveCheckpoints();
  /** Of the file without its log. */
  const pages = (): number => statSync(file).size / 4096;
  const write = (count: number) =>
    store.transact(() => {
      for (let each = 0; each < count; each++) store.putSetting(`test ${count} ${each}`, 'x'.repeat(4000));
    });
  write(3000);
  expect(pages()).toBeLessThan(3000);
  const mistakes: unknown[] = [];
  const checkpoints = startCheckpoints(file, (error) => mistakes.push(error));
  await until(() => pages() > 3000);
  write(1000);
  await until(() => pages() > 4000);
  await checkpoints.end();
  write(20);
  expect(mistakes).toEqual([]);
  store.close();
  const again = openStore(file);
  expect([again.setting('test 3000 2999'), again.setting('test 20 19')]).toEqual(['x'.repeat(4000), 'x'.repeat(4000)]);
  again.close();
  rmSync(folder, { recursive: true });
});

it('a file that cannot be opened is told', async () => {
  const mistakes: unknown[] = [];
  const checkpoints = startCheckpoints('/nowhere/service.sqlite', (error) => mistakes.push(error));
  await until(() => mistakes.length === 1);
  expect(String(mistakes[0])).toContain('unable to open');
  await checkpoints.end();
});
