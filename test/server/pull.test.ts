// Pulling as an operator sees it: interrupted, repeated, and read by others meanwhile.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { smallWorld, thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import type { LastPull } from '#server/last-pull.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { begin, copiedFolder, newFolder, runToEnd, until, type Ended } from './program.ts';
import { dayBefore, stillAt } from './still.ts';
import { isWhole, testInDrill } from '../chance.ts';

let service: Service;
/** What one pull without interruption has left. */
let whole: string;
/** How that pull ended, and what others were answered while it ran. */
let first_pull: { ended: Ended; counted: Ended; was_running: boolean; second: Ended };
const key = 'ef'.repeat(16);
const settings = (): Record<string, string> => ({
  CHATLEDGER_BASE_URL: service.url,
  CHATLEDGER_LOGIN: 'owner@example.com',
  CHATLEDGER_API_KEY: key,
  CHATLEDGER_REQUESTS_PER_SECOND: '1000',
  CHATLEDGER_SINCE: dayBefore(17),
});
const published = (folder: string): string => join(folder, 'data', 'published', 'chatledger.duckdb');

beforeAll(async () => {
  const file = join(newFolder(), 's.sqlite');
  // Only the drill kills a pull, for which it takes long enough with more chats.
  const world = isWhole ? smallWorld : thirdOfSmallWorld;
  service = await startService({ file, days: 18, port: 0, apiKey: key, clock: () => stillAt, world });
  whole = newFolder();
  const pulling = begin(['pull'], settings(), whole);
  await until(() => existsSync(published(whole)), 60, 'the first snapshot');
  const counted = await runToEnd(['sql', 'select count(*) as chats from facts.chats', '--json'], {}, whole);
  const was_running = pulling.child.exitCode === null;
  const second = await runToEnd(['pull'], settings(), whole);
  first_pull = { ended: await pulling.ended, counted, was_running, second };
});
afterAll(() => service.close());

/** Every row of what was pulled, without the times and names of the pulls themselves. */
async function contentOf(folder: string): Promise<Record<string, unknown[]>> {
  const engine = await openWarehouse(join(folder, 'data', 'warehouse', 'chatledger.duckdb'), { readOnly: true });
  const content: Record<string, unknown[]> = {};
  for (const { schema, name, columns } of tables.filter(({ schema }) => schema === 'facts' || schema === 'reports')) {
    const kept = Object.keys(columns).filter((column) => column !== 'pulled_at' && column !== 'pull_id');
    const listed = kept.map((column) => `"${column}"`).join(', ');
    content[`${schema}.${name}`] = await engine.query(`select ${listed} from ${schema}.${name} order by all`);
  }
  await engine.close();
  return content;
}

testInDrill('a pull killed in the middle and started again gives the same numbers, nothing twice', async () => {
  const killed = newFolder();
  const first = begin(['pull'], settings(), killed);
  // The newest two weeks are published first; the kill comes while the backfill goes on.
  await until(() => existsSync(published(killed)), 60, 'the first snapshot');
  first.child.kill('SIGKILL');
  await first.ended;
  expect((await runToEnd(['pull'], settings(), killed)).code).toBe(0);

  const [one, other] = [await contentOf(killed), await contentOf(whole)];
  expect(other['facts.chats']?.length).toBeGreaterThan(2000);
  for (const [table, rows] of Object.entries(other)) expect([table, one[table]]).toEqual([table, rows]);

  const states = await runToEnd(
    ['sql', 'select state, requests > 100 as has_cost from ledger.pulls order by started_at', '--json'],
    {},
    killed,
  );
  expect(JSON.parse(states.said).rows).toEqual([
    { state: 'cut_off', has_cost: true },
    { state: 'done', has_cost: true },
  ]);
});

test('the published file opens in a second process while a pull runs, and a second pull is refused', () => {
  const { ended, counted, was_running, second } = first_pull;
  expect(was_running).toBe(true);
  expect(JSON.parse(counted.said).rows[0].chats).not.toBe('0');
  expect(second.code).toBe(2);
  expect(second.complained).toMatch(/another process \(\d+\) is writing to/);
  expect(ended.code).toBe(0);
});

test('a second pull asks only for what can have changed, and --dry says how much', async () => {
  const folder = copiedFolder(whole);
  const before = service.requests();
  const dry = await runToEnd(['pull', '--dry', '--json'], settings(), folder);
  expect(service.requests()).toBe(before);
  const again = await runToEnd(['pull', '--json'], settings(), folder);
  expect(again.code).toBe(0);
  const outcome = JSON.parse(again.said);
  expect(outcome.requests).toBe(service.requests() - before);
  expect(Math.abs(outcome.requests - JSON.parse(dry.said).requests)).toBeLessThan(outcome.requests * 0.1);
  expect(outcome).toMatchObject({ chats_new: 0, chats_changed: 0, failed: 0 });
});

test('a pull with nothing new makes no snapshot, and yet says when it ended', async () => {
  const folder = copiedFolder(whole);
  const left = (): { names: string[]; last: LastPull } => ({
    names: readdirSync(join(folder, 'data', 'published', 'snapshots')),
    last: JSON.parse(readFileSync(join(folder, 'data', 'published', 'last-pull.json'), 'utf8')),
  });
  const first = left();
  expect((await runToEnd(['pull'], settings(), folder)).code).toBe(0);
  const second = left();
  expect(second.names).toEqual(first.names);
  const [before, after] = [first.last.accounts.default, second.last.accounts.default];
  expect((after?.pull_id ?? '') > (before?.pull_id ?? '')).toBe(true);
  expect(after?.pulled_since).toBe(dayBefore(19));
  expect(second.last.snapshot_id).toBe(first.names.at(-1)?.slice(0, -7));

  // What somebody overwrote is published anew, also without news.
  rmSync(published(folder));
  writeFileSync(published(folder), 'no database');
  await runToEnd(['pull'], settings(), folder);
  expect((await runToEnd(['sql', 'select count(*) from facts.chats'], {}, folder)).code).toBe(0);
});

test('a space for snapshots that is no size is refused with what it must be', async () => {
  const { code, complained } = await runToEnd(['pull'], { CHATLEDGER_SNAPSHOT_SPACE: '10 GiB' }, newFolder());
  expect([code, complained]).toEqual([2, expect.stringContaining('must be a size like 10GB or 500MB')]);
});

test('what the service sends is in the warehouse, name by name and line by line', async () => {
  const folder = whole;
  const rows = async (statement: string): Promise<Record<string, string>[]> =>
    JSON.parse((await runToEnd(['sql', statement, '--json'], {}, folder)).said).rows;
  const [sums] = await rows(
    `select (select count(*) from facts.chats) as facts,
            (select sum(total) from ledger.periods where source = 'archive') as total,
            (select count(*) from ledger.quarantine) as quarantined`,
  );
  expect(sums?.facts).toBe(sums?.total);
  expect(sums?.quarantined).toBe('0');
  const described = await rows("select comment from duckdb_columns() where schema_name = 'facts' and comment is null");
  expect(described).toEqual([]);
});
