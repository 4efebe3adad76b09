// Groups of an agent's chats that are not the agent's: in pages, CSV and documents they have no name and stay apart, and nobody else's change.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#api/contract/accounts.ts';
import { namesIn } from '#digests/names.ts';
import { narrowedTexts } from '#lib/panel/narrowed.ts';
import { namesOf } from '#lib/panel/names.ts';
import { filtersAt } from '#lib/page-filters.ts';
import type { Store } from '#warehouse/engine.ts';
import { contextIn } from '#warehouse/query/context.ts';
import { localReader, type Reader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert } from '../warehouse/account.ts';
import { apiDeps, authOf } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const ann: Reader = { id: 'ann', rows: { agent: 'ann@x.test' } };
const bob: Reader = { id: 'bob', rows: { agent: 'bob@x.test' } };
const lead: Reader = { id: 'lead', rows: { groups: [1] } };
const folder = mkdtempSync(join(tmpdir(), 'other-groups-'));
let engine: Store;

beforeAll(async () => {
  const start = '2026-05-05T10:00:00Z';
  const writer = await account(
    [
      { start, groups: [1], agents: ['ann@x.test'] },
      { start, groups: [71], agents: ['ann@x.test', 'bob@x.test'] },
      { start, groups: [1, 72], agents: ['ann@x.test'] },
      { start, groups: [73], agents: ['cid@x.test'] },
    ],
    'Europe/Warsaw',
  );
  await insert(writer, 'account', 'groups', [
    { group_id: 1, name: 'Sales' },
    { group_id: 71, name: 'Legal' },
    { group_id: 72, name: 'Payroll' },
  ]);
  await insert(writer, 'account', 'group_agents', [
    { group_id: 1, login: 'ann@x.test' },
    { group_id: 71, login: 'cid@x.test' },
  ]);
  const { file } = await publish(writer, folder, Date.parse('2026-06-01T00:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (reader: Reader, path: string): Promise<string> => {
  const deps = apiDeps(engine, reader === localReader ? {} : { auth: authOf(() => reader, null) });
  const answer = await promisedApi(deps).request(`http://127.0.0.1:3000/api/${path}`);
  const text = await answer.text();
  expect([path, answer.status, answer.status === 200 ? '' : text]).toEqual([path, 200, '']);
  return text;
};
const accountOf = async (reader: Reader): Promise<Account> => {
  const { accounts } = JSON.parse(await ask(reader, 'accounts')) as { accounts: Account[] };
  if (!accounts[0]) throw new Error('there is no account');
  return accounts[0];
};
const days = 'from=2026-05-04&to=2026-05-05';

describe('a group that is not the agent’s', () => {
  it('is named for nobody but agents whose chats have it', async () => {
    const of = async (reader: Reader) => {
      const { groups, other_groups } = await accountOf(reader);
      return [groups.map(({ id }) => id), other_groups.map(({ id }) => id)];
    };
    expect(await of(ann)).toEqual([[1], [71, 72]]);
    expect(await of(bob)).toEqual([[], [71]]);
    expect(await of(lead)).toEqual([[1], []]);
    expect(await of(localReader)).toEqual([[1, 71, 72], []]);
  });

  it('is another group on pages, and where there are several, each by a letter', async () => {
    expect(namesOf(await accountOf(ann))['group']).toEqual({
      1: 'Sales',
      71: 'another group A',
      72: 'another group B',
    });
    expect(namesOf(await accountOf(bob))['group']).toEqual({ 71: 'another group' });
    expect(namesOf(await accountOf(localReader))['group']).toEqual({ 1: 'Sales', 71: 'Legal', 72: 'Payroll' });
    const of = await accountOf(bob);
    expect(narrowedTexts({ group: ['71'], agent: [], tag: [], variable: [] }, of)).toEqual(['Group: another group']);
    const health = { pull: { pulled_since: null } } as never;
    const me = { rights: ['agents:read' as const], rows: { agent: 'bob@example.com' } };
    const problemsAt = (address: string) =>
      filtersAt(new URL(`http://x.test/?${address}`), { account: of, accounts: ['default'], health, me }).problems;
    expect(problemsAt(`group=71&${days}`)).toEqual([]);
  });

  it('is so in documents, in the file of a panel and in chats as rows too', async () => {
    const snapshot = { id: 's1', published_at: '2026-06-01T00:00:00.000Z', engine };
    const own = { id: 'default', timezone: 'Europe/Warsaw', since: '2026-05-01' };
    expect((await namesIn(await contextIn(ann, snapshot, own, 1_780_272_000)))['group']).toEqual({
      ...{ 1: 'Sales', 71: 'another group A', 72: 'another group B' },
    });
    const panel = await ask(ann, `panels/responses/first-by-group.csv?${days}`);
    expect(panel).toContain('another group A');
    const rows = async (reader: Reader) =>
      (await ask(reader, `chat-rows.csv?${days}&columns=group_names`))
        .replaceAll('"', '')
        .trim()
        .split('\r\n')
        .slice(1)
        .sort();
    expect(await rows(ann)).toEqual(['Sales', 'Sales; another group B', 'another group A']);
    expect(await rows(bob)).toEqual(['another group']);
    // One that the account does not list any more has its id for those who see all.
    expect(await rows(localReader)).toEqual(['73', 'Legal', 'Sales', 'Sales; Payroll']);
  });
});
