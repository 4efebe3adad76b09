// What the web process knows of pulls: what it hears of children, and what the last pull of each account left beside the snapshots.
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Recorded } from '#api/contract/pulls.ts';
import { nothingRecorded } from '#api/pull-history.ts';
import { forgetNotes, noteLedger, watchNote } from '#server/ledger-note.ts';
import { watchPulls } from '#server/pulls.ts';
import { schedule } from '#server/schedule.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { apiDeps } from '../api/deps.ts';
import { newFolder } from './program.ts';
import { promisedApi } from '../api/promised-api.ts';

test('an account of which a child said nothing before it was gone gets the words of its end', () => {
  const watch = watchPulls(() => 1_700_000_000_000);
  watch.progress('a', { stage: 'newest', done: 1, total: 9 });
  watch.ended('b', { sentence: 'the account refused the credentials' });
  watch.gone(['a', 'b'], 'the disk is full');
  expect(watch.pulls().ended.map(({ account, state, error }) => [account, state, error])).toEqual([
    ['b', 'failed', 'the account refused the credentials'],
    ['a', 'failed', 'the disk is full'],
  ]);
  expect(watch.pulls().running).toEqual([]);
  watch.gone(['a', 'b'], null);
  expect(watch.pulls().ended.length).toBe(2);
});

test('whoever is woken while a pull runs is made up for once, right after it', async () => {
  const ends: (() => void)[] = [];
  const pulls = schedule('0 0 1 1 *', () => new Promise((resolve) => ends.push(resolve)));
  for (let times = 3; times > 0; times -= 1) pulls.now();
  expect(ends.length).toBe(1);
  ends[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(ends.length).toBe(2);
  ends[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(ends.length).toBe(2);
  pulls.stop();
});

const ended = (account: string, second: number, error: string | null): Recorded['pulls'][number] => ({
  ...{ account, pull_id: `p${second}`, error, state: error === null ? 'done' : 'failed', requests: 3, faults: 1 },
  ...{ started_at: new Date(second * 1000).toISOString(), ended_at: new Date((second + 5) * 1000).toISOString() },
  ...{ chats_new: 0, chats_changed: 0, chats_unchanged: 0 },
});

test('what one account leaves keeps what others left, and a note that cannot be read is none', () => {
  const folder = newFolder();
  const noted = watchNote(folder);
  expect(noted('a')).toBe(null);
  noteLedger(folder, 'a', { ...nothingRecorded, pulls: [ended('a', 100, null)] });
  noteLedger(folder, 'b', nothingRecorded);
  expect([noted('a')?.pulls[0]?.pull_id, noted('b')?.pulls]).toEqual(['p100', []]);
  const file = join(folder, 'ledger.json');
  writeFileSync(file, '{"a": 7}');
  utimesSync(file, 1, statSync(file).mtimeMs / 1000 + 9);
  expect(noted('a')).toBe(null);
  forgetNotes(folder);
  expect(noted('a')).toBe(null);
});

test('GET /api/pulls tells the newer of snapshot and note, and POST names the accounts there are', async () => {
  const engine = await openWarehouse(':memory:');
  const { chats_new, ...row } = ended('default', 1_000, null);
  const pulls = tableOf('ledger', 'pulls');
  await engine.load(pulls, [{ ...row, chats_new, started_at: 1_000, ended_at: 1_005 }], { replacing: pulls.key });
  let note: Recorded | null = null;
  let started = 0;
  const api = promisedApi(apiDeps(engine, { recorded: () => note, pullNow: () => void (started += 1) }));
  const ask = (path: string, method = 'GET') =>
    api.request(`http://127.0.0.1/api${path}`, { method, headers: { host: '127.0.0.1' } });
  const newest = async () => ((await (await ask('/pulls')).json()) as Recorded).pulls[0]?.error;
  expect(await newest()).toBe(null);
  note = { ...nothingRecorded, pulls: [ended('default', 900, 'older than the snapshot')] };
  expect(await newest()).toBe(null);
  note = { ...nothingRecorded, pulls: [ended('default', 1_900, 'nothing was published')] };
  expect(await newest()).toBe('nothing was published');
  const unknown = await ask('/pulls?account=nobody', 'POST');
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { error: expect.objectContaining({ choices: ['default'] }) },
  ]);
  expect([(await ask('/pulls', 'POST')).status, started]).toEqual([202, 1]);
  await engine.close();
});
