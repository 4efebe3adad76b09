// What an operator is told on a bad day, at the command line and by GET /api/pulls; the page is looked at in test/journeys.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Recorded } from '#api/contract/pulls.ts';
import { watchNote } from '#server/ledger-note.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { apiDeps } from '../api/deps.ts';
import {
  badAccount,
  oddities,
  onlyOf,
  passing,
  planOf,
  severalAccounts,
  silences,
  strangeRecords,
  type BadAccount,
} from './bad-days.ts';
import type { Ended } from './program.ts';
import { promisedApi } from '../api/promised-api.ts';

let account: BadAccount;
beforeAll(async () => void (account = await badAccount()));
afterAll(() => account.close());

type Pulls = Recorded & { accounts: { account: string; state: string | null; error: string | null; failed: number }[] };

async function pullsOf(folder: string, query = '', ids = ['default']): Promise<Pulls> {
  const published = join(folder, 'data', 'published');
  const engine = await openWarehouse(join(published, 'chatledger.duckdb'), { readOnly: true });
  const accounts = () => ids.map((id) => ({ id, timezone: 'UTC', since: account.service.firstDay }));
  const api = promisedApi(apiDeps(engine, { accounts, recorded: watchNote(published), clock: Date.now }));
  try {
    const response = await api.request(`http://127.0.0.1/api/pulls${query}`, { headers: { host: '127.0.0.1' } });
    expect(response.status).toBe(200);
    return (await response.json()) as Pulls;
  } finally {
    await engine.close();
  }
}

describe.each([
  ['when nothing comes, or a no', silences, []],
  ['when something comes that cannot be used', oddities, strangeRecords],
] as const)('%s', (_, troubles, records) => {
  let ended: Ended & { folder: string };
  let pulls: Pulls;
  beforeAll(async () => {
    ended = await account.pull(planOf([...troubles, ...records], account.days), onlyOf(troubles));
    pulls = await pullsOf(ended.folder);
  });

  test('the pull goes on to its end, and says how much of it was in vain', () => {
    expect([ended.code, ended.said]).toEqual([0, expect.stringMatching(/\d+ requests \(\d+ of them in vain\)/)]);
    expect(ended.said).toContain('questions failed (see the Operations page');
  });
  test.each(troubles)('$fault of $source: what, why and what to do', ({ source, state, why, remedy }) => {
    const told = pulls.failed.filter(
      (one) => one.source === source && one.state === state && why.test(one.error ?? ''),
    );
    expect([source, told.length, pulls.failed.filter((one) => one.source === source)]).toEqual([
      source,
      1,
      expect.anything(),
    ]);
    expect(told[0]?.what_to_do).toMatch(remedy);
  });
  test.runIf(records.length > 0).each(records)('$fault of $source is set aside with its reason', ({ source, why }) => {
    const told = pulls.quarantined.filter((one) => one.source === source && why.test(one.reason));
    expect([source, told.length, pulls.quarantined.map((one) => [one.source, one.reason])]).toEqual([
      source,
      1,
      expect.anything(),
    ]);
  });
  test('nothing else is complained about, and the command line says the same', () => {
    const sources = new Set<string>([...troubles, ...records].map(({ source }) => source));
    expect(pulls.failed.filter(({ source }) => !sources.has(source))).toEqual([]);
    const lines = ended.complained.trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(11);
    for (const line of lines.slice(0, 10))
      expect(line).toMatch(/^chatledger: \S+ (of|from) \d{4}-\d\d-\d\d.*: .+\. .+$/);
  });
});

test('what passes or means the same alarms nobody', async () => {
  const { code, said, complained, folder } = await account.pull(passing, ['archive', 'total_chats', 'goals']);
  expect([code, complained]).toEqual([0, '']);
  expect(said).not.toMatch(/failed|set aside/);
  expect(account.service.chaos.told().hit).toBeGreaterThan(20);
  const pulls = await pullsOf(folder);
  expect([pulls.failed, pulls.quarantined]).toEqual([[], []]);
  expect(pulls.pulls).toEqual([expect.objectContaining({ state: 'done', error: null, faults: expect.any(Number) })]);
});

describe('of several accounts', () => {
  let ended: Awaited<ReturnType<typeof severalAccounts>>;
  beforeAll(async () => void (ended = await severalAccounts(account)));

  const sentences: readonly [string, RegExp][] = [
    [
      'refused',
      /^the account refused the credentials \(.+\): check the credentials that chatledger\.json names for refused$/,
    ],
    [
      'nameless',
      /^nothing answers at http:\/\/no-such-host\.invalid: the name .+: check base_url of nameless in chatledger\.json$/,
    ],
    ['insecure', /^no secure connection to https:\S+ \(\S+\): check .+ certificate: check base_url of insecure/],
  ];
  test.each(sentences)('%s stops with one sentence, and the others go on', async (id, sentence) => {
    expect(ended.code).toBe(3);
    expect(ended.said).toMatch(/^good: \d+ requests, \d+ chats new/m);
    const lines = ended.complained.split('\n').filter((line) => line.startsWith(`chatledger: ${id}: `));
    expect(lines).toEqual([expect.stringMatching(new RegExp(sentence.source.replace('^', `^chatledger: ${id}: `)))]);
    const pulls = await pullsOf(ended.folder, `?account=${id}`, ended.ids);
    expect(pulls.pulls).toEqual([
      expect.objectContaining({ account: id, state: 'failed', error: expect.stringMatching(sentence) }),
    ]);
    expect(pulls.accounts.find(({ account }) => account === 'good')).toMatchObject({
      state: 'done',
      error: null,
      failed: 0,
    });
    expect(pulls.accounts.find(({ account }) => account === id)?.error).toMatch(sentence);
  });
});
