// Questions and receipts of several accounts at once: the database gives the same text as the file, to each reader, also where two folders
// published the accounts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Engine, Store } from '#warehouse/engine.ts';
import type { RowRule } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { apiDeps, authOf } from '../api/deps.ts';
import { promisedApi } from '../api/promised-api.ts';
import { isWhole } from '../chance.ts';
import { second } from '../warehouse/account.ts';
import { members, separate } from '../warehouse/several-accounts.ts';
import { ClickhouseAccounts } from '#warehouse/engines/clickhouse-accounts.ts';
import { ClickhousePublisher } from '#warehouse/engines/clickhouse-publishing.ts';
import { addresses } from './addresses.ts';
import { openDatabase, published, publishing, type Database } from './both.ts';
import { installedPeer, whyNoPeer } from './installed.ts';

const isThere = installedPeer() !== undefined;
const readers: Readonly<Record<string, RowRule>> = { all: {}, some: { accounts: ['a', 'c'] }, group: { groups: [3] } };
const questions = [
  'account=a&account=b',
  'account=a&account=b&split=account',
  'account=*&grain=day',
  'account=*&split=account&grain=week',
  'account=*&compare=previous',
];

/** A receipt's statement is spelled in the words of its engine. */
const comparable = (text: string): string => text.replace(/"sql":"(?:[^"\\]|\\.)*"/, '"sql":""');

describe.skipIf(!isThere)(isThere ? 'several accounts in ClickHouse' : whyNoPeer, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-several-'));
  let database: Database;
  let whole: Store;
  let accounts: ClickhouseAccounts;
  let apis: ReturnType<typeof promisedApi>[];
  const errors: unknown[] = [];

  beforeAll(async () => {
    const writer = await separate(members);
    const { file } = await publish(writer, folder, second('2027-02-01T00:00:00Z') * 1000);
    await writer.close();
    whole = await openWarehouse(file, { readOnly: true });
    database = await openDatabase();
    const known = () => members.map(({ id, zone }) => ({ id, timezone: zone, since: '2025-12-28' }));
    const auth = authOf((cookies) => ({ id: cookies, rows: readers[cookies] ?? {} }));
    const clock = () => second('2027-03-01T00:00:00Z') * 1000;
    const apiOf = (engine: Engine) =>
      promisedApi(apiDeps(engine, { accounts: known, auth, clock, log: (error) => errors.push(error) }));
    apis = [apiOf(whole), apiOf(await published(database, whole)), apiOf(await publishedByTwo())];
  });
  /** Each of the two has rows of the other's accounts too, as after an account was moved: they are not read. */
  async function publishedByTwo(): Promise<Engine> {
    const [first = '', ...others] = members.map(({ id }) => id);
    for (const [folderId, ids] of [
      ['other', others],
      ['tests', [first]],
    ] as const) {
      const publisher = new ClickhousePublisher(database.address, publishing(folderId, ...ids));
      const id = `20260512-090000-00${folderId.length}`;
      await publisher.publish(whole, { id, published_at: '2026-05-12T09:00:00.001Z', rewritten: '' });
      await publisher.close();
    }
    accounts = new ClickhouseAccounts(database.address);
    const newest = (await accounts.list()).at(-1);
    if (!newest) throw new Error('two folders published');
    expect(newest.accounts.map(({ id }) => id)).toEqual(members.map(({ id }) => id));
    return accounts.open(newest);
  }
  /** Whether there is an answer; both engines must give it alike. */
  async function isSame(who: string, path: string): Promise<boolean> {
    const texts: string[] = [];
    for (const api of apis) {
      const answer = await api.request(`http://127.0.0.1${path}`, { headers: { host: '127.0.0.1', cookie: who } });
      texts.push(`${answer.status} ${comparable(await answer.text())}`);
    }
    expect([path, ...texts.slice(1), ...errors.splice(0).map(String)]).toEqual([path, texts[0], texts[0]]);
    return texts[0]?.startsWith('200') === true;
  }
  afterAll(async () => {
    await whole.close();
    await accounts.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(Object.keys(readers))('%s get of every metric what the file gives', async (who) => {
    let answered = 0;
    for (const { id } of metrics)
      for (const question of isWhole || who === 'all' ? questions : questions.slice(3, 4)) {
        const path = `/api/metrics/${id}?from=2026-03-20&to=2026-04-05&${question}`;
        if (await isSame(who, path)) answered += 1;
      }
    expect(answered).toBeGreaterThan(20);
  });

  test.each(Object.keys(readers))('%s get of every metric the receipt that the file gives', async (who) => {
    let answered = 0;
    for (const { id, measures } of metrics)
      for (const whose of isWhole || who === 'all'
        ? ['account=*', 'account=*&split=account&at.account=c']
        : ['account=*'])
        for (const measure of isWhole ? Object.keys(measures) : Object.keys(measures).slice(0, 1)) {
          const path = `/api/receipts/${id}?from=2026-03-20&to=2026-04-05&grain=total&order=largest&measure=${measure}&${whose}`;
          if (await isSame(who, path)) answered += 1;
        }
    expect(answered).toBeGreaterThan(15);
  });

  /** In the days of these accounts, of two of them and of all together. */
  function asked(address: string): string[] {
    const dated = address.replace(/2026-05-01/g, '2026-03-20').replace(/2026-05-(09|11)/g, '2026-04-05');
    const [path, query] = dated.split('?');
    if (!query || path?.startsWith('/reports')) return [dated];
    const others = query.split('&').filter((part) => !part.startsWith('account='));
    return ['a', 'b', '*'].map((account) => `${path}?${[...others, `account=${account}`].join('&')}`);
  }

  test.each(Object.keys(readers))('%s are answered at every address as by the file', async (who) => {
    let answered = 0;
    for (const address of addresses.flatMap(asked)) if (await isSame(who, `/api${address}`)) answered += 1;
    expect(answered).toBeGreaterThan(20);
  });
});
