// What the server knows of the published folder: the newest snapshot, older ones on demand, the end of the last pull.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeLastPull } from '#server/last-pull.ts';
import { openScope } from '#server/request-scope.ts';
import { openSnapshotPool } from '#server/snapshot-pool.ts';
import { openSnapshots } from '#server/snapshots.ts';
import { bytesOf } from '#server/setting-values.ts';
import { pseudonymSecretIn } from '#server/user-data/pseudonyms.ts';
import { contextIn } from '#warehouse/query/context.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, pulled } from '../warehouse/account.ts';

const folder = mkdtempSync(join(tmpdir(), 'served-'));
const ids: string[] = [];
beforeAll(async () => {
  const engine = await account([{ start: '2026-05-05T10:00:00Z', visitor: 'v7' }]);
  for (let hour = 0; hour < 5; hour++)
    ids.push((await publish(engine, folder, Date.parse('2027-01-01T00:00:00Z') + hour * 3_600_000)).id);
  await engine.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the last success moves on without a new snapshot, once everything it brought is served', async () => {
  const snapshots = openSnapshots(folder, () => new Map([['default', '2026-05-01']]));
  const ended_at = '2027-01-01T08:00:00.000Z';
  const last = { pull_id: 'p', ended_at, pulled_since: '2026-04-29', clock_skew: 0 };
  const after = async (change: Partial<typeof last> | string, snapshot_id = ids[4] ?? ''): Promise<string | null> => {
    if (typeof change === 'string') writeFileSync(join(folder, 'last-pull.json'), change);
    else writeLastPull(folder, { accounts: { default: { ...last, ...change } }, snapshot_id });
    await snapshots.refresh();
    return snapshots.last_success_at();
  };
  expect(snapshots.last_success_at()).toBe(null);
  expect(await after({})).toBe(ended_at);
  expect(await after({ pulled_since: '2026-05-02' })).toBe(null);
  expect(await after({}, '20270101-090000-000')).toBe(null);
  expect(await after('{"half')).toBe(null);
  await snapshots.close();
});

it('how far back an account is pulled is what the served snapshot holds, and nothing where all of it is there', async () => {
  const own = mkdtempSync(join(tmpdir(), 'reaching-'));
  const engine = await openWarehouse(':memory:');
  let first = '2026-05-01';
  const snapshots = openSnapshots(own, () => new Map([['default', first]]));
  const reaches = async (from: string, to: string, hour: number): Promise<string | null> => {
    await pulled(engine, 'UTC', from, to, '2026-05-20T10:00:00Z');
    await publish(engine, own, Date.parse('2026-05-20T12:00:00Z') + hour * 3_600_000);
    await snapshots.refresh();
    return snapshots.pulled_since('default');
  };
  expect(snapshots.pulled_since('default')).toBe(null);
  expect(await reaches('2026-05-19', '2026-05-20', 0)).toBe('2026-05-19');
  expect(await reaches('2026-05-10', '2026-05-12', 1)).toBe('2026-05-19');
  expect(await reaches('2026-05-13', '2026-05-18', 2)).toBe('2026-05-10');
  expect(await reaches('2026-04-29', '2026-05-09', 3)).toBe(null);
  first = '2026-04-01';
  expect([snapshots.pulled_since('default'), snapshots.pulled_since('other')]).toEqual(['2026-04-29', null]);
  await snapshots.close();
  await engine.close();
  rmSync(own, { recursive: true, force: true });
});

it('older snapshots are opened on demand; one that was put away is opened again', async () => {
  const pool = openSnapshotPool(folder);
  expect((await pool.list()).map(({ id }) => id)).toEqual(ids);
  const request = openScope();
  const open = () => request.run(() => pool.open(ids[0] ?? ''));
  const [first, again] = await Promise.all([open(), open()]);
  expect(first).toBe(again);
  for (const id of ids.slice(1)) expect((await pool.open(id)).id).toBe(id);
  expect(await first.engine.query('select count(*) as n from facts.chats')).toEqual([{ n: 1 }]);
  request.end();
  const reopened = await pool.open(ids[0] ?? '');
  expect(reopened).not.toBe(first);
  expect(reopened.published_at).toBe('2027-01-01T00:00:00.000Z');
  await expect(pool.open('20200101-000000-000')).rejects.toThrow('there is no such file');
  await pool.close();
});

it('a visitor has one pseudonym in all snapshots of a folder, and another in another folder', async () => {
  const seenWith = async (pseudonyms: string): Promise<unknown[]> => {
    const snapshots = openSnapshots(folder, () => new Map(), undefined, pseudonyms);
    await snapshots.refresh();
    const account = { id: 'default', timezone: 'UTC', since: '2026-05-01' };
    const seen: unknown[] = [];
    for (const snapshot of [snapshots.current(), await snapshots.older.open(ids[0] ?? '')]) {
      if (!snapshot) throw new Error('nothing is served');
      const reader = { id: 'r', rows: { is_anonymous: true, hides_agents: true } as const };
      const { engine } = (await contextIn(reader, snapshot, account, 0)).snapshot;
      const sql = 'select visitor_id as name from facts.chats union select agent from facts.chat_agents';
      seen.push(...(await engine.query(sql)).map(({ name }) => name));
    }
    await snapshots.close();
    return [...new Set(seen)].sort();
  };
  const secrets = [1, 2].map(() => {
    const state = new DatabaseSync(':memory:');
    const secret = pseudonymSecretIn(state);
    expect(pseudonymSecretIn(state)).toBe(secret);
    return secret;
  });
  const [here, elsewhere] = await Promise.all(secrets.map(seenWith));
  expect([here?.length, elsewhere?.length]).toEqual([2, 2]);
  for (const name of [...(elsewhere ?? []), ...['v7', 'a@x.test'].flatMap(guesses)]) expect(here).not.toContain(name);
});

/** What somebody computes who knows a name and not the secret. */
const guesses = (name: string): string[] =>
  ['md5', 'sha1', 'sha256'].map((kind) => createHash(kind).update(name).digest('hex'));

it.each([
  ['10GB', 10e9],
  ['500MB', 500e6],
  ['1.5 tb', 1.5e12],
  ['0GB', undefined],
  ['10', undefined],
  ['10GiB', undefined],
  ['much', undefined],
])('a space of %s is %s bytes', (size, bytes) => expect(bytesOf(size)).toBe(bytes));
