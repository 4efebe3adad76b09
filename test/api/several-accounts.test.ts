// Several accounts over HTTP: which a reader may ask for, how they are named, and that kept answers know whose they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowRule } from '#warehouse/query/reader.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { second } from '../warehouse/account.ts';
import { members, separate } from '../warehouse/several-accounts.ts';
import { apiDeps, authOf } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-several-'));
const rules: Readonly<Record<string, RowRule | undefined>> = {
  all: undefined,
  'a-and-c': { accounts: ['a', 'c'] },
  'only-b': { accounts: ['b'] },
  none: { accounts: [] },
  'group-3': { groups: [3] },
  agent: { agent: 'a@x.test', accounts: ['a', 'b'] },
};
let engine: Store;
let api: ReturnType<typeof promisedApi>;
beforeAll(async () => {
  const writer = await separate(members);
  const { file } = await publish(writer, folder, second('2027-02-01T00:00:00Z') * 1000);
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
  const accounts = () => members.map(({ id, zone }) => ({ id, timezone: zone, since: '2025-12-28' }));
  const auth = authOf((cookies) => {
    const rows = rules[cookies];
    return { id: cookies, ...(rows ? { rows } : {}) };
  });
  api = promisedApi(apiDeps(engine, { accounts, auth, clock: () => second('2027-03-01T00:00:00Z') * 1000 }));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

type Receipt = { value: number; chats: { total: number; rows: { account?: string }[] } };

interface Told {
  rows: Record<string, unknown>[];
  accounts: string[];
  error: { message: string; choices?: string[] };
}
const asked = (who: string, query: string, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(
    api.request(`http://127.0.0.1/api/${query}`, { headers: { host: '127.0.0.1', cookie: who, ...headers } }),
  );
const range = 'from=2026-03-20&to=2026-04-05&timezone=UTC';
const total = `metrics/total_chats?${range}&grain=total`;
async function told(who: string, query: string): Promise<[number, Told]> {
  const response = await asked(who, query);
  return [response.status, (await response.json()) as Told];
}
const chatsOf = (
  ids: readonly string[],
  isIn: (chat: (typeof members)[number]['chats'][number]) => boolean = () => true,
) => members.filter(({ id }) => ids.includes(id)).flatMap(({ chats }) => chats.filter(isIn)).length;

describe('several accounts over HTTP', () => {
  it.each([
    ['all', 'account=a&account=b', ['a', 'b']],
    ['all', 'account=*', ['a', 'b', 'c']],
    ['a-and-c', 'account=*', ['a', 'c']],
    ['a-and-c', 'account=c&account=a', ['c', 'a']],
    ['only-b', 'account=*', ['b']],
  ])('%s with %s get the numbers of %j', async (who, query, ids) => {
    const [status, { rows, accounts }] = await told(who, `${total}&${query}`);
    expect([status, rows, accounts]).toEqual([200, [{ chats: chatsOf(ids), state: 'complete' }], ids]);
    const [, split] = await told(who, `${total}&${query}&split=account`);
    expect(split.rows).toEqual([...ids].sort().map((id) => ({ account: id, chats: chatsOf([id]), state: 'complete' })));
  });

  it.each([
    ['a-and-c', 'account=a&account=b', 400, 'there is no account b, only a, c'],
    ['a-and-c', 'account=b', 400, 'there is no account b, only a, c'],
    ['only-b', 'account=*&account=a', 400, 'account=* is all of them: ask with it alone, or name the accounts'],
    ['all', 'account=a&account=d', 400, 'there is no account d, only a, b, c'],
    ['none', 'account=*', 403, 'you may see none of the accounts'],
    ['all', '', 400, 'there are several accounts: say account=a or account=b or account=c'],
    ['all', 'account=a&split=account', 400, 'total_chats can be split by'],
  ])('%s with %s are refused', async (who, query, status, words) => {
    for (const path of [total, total.replace('?', '.csv?')]) {
      const [found, { error }] = await told(who, `${path}&${query}`);
      expect([found, error.message]).toEqual([status, expect.stringContaining(words)]);
    }
  });

  it('a row rule holds in each of them', async () => {
    const inGroup = chatsOf(['a', 'b', 'c'], ({ groups = [0] }) => groups.includes(3));
    expect((await told('group-3', `${total}&account=*`))[1].rows).toEqual([{ chats: inGroup, state: 'complete' }]);
    const own = chatsOf(['a', 'b'], ({ agents = ['a@x.test'] }) => agents.includes('a@x.test'));
    expect((await told('agent', `${total}&account=*`))[1].rows).toEqual([{ chats: own, state: 'complete' }]);
  });

  it('kept answers know whose they are', async () => {
    const tags = await Promise.all(
      ['account=a&account=b', 'account=a&account=c', 'account=*', 'account=a'].map(async (query) => {
        const response = await asked('all', `${total}&${query}`);
        return response.headers.get('etag');
      }),
    );
    expect(new Set(tags).size).toBe(4);
    const limited = await asked('a-and-c', `${total}&account=*`);
    expect(tags).not.toContain(limited.headers.get('etag'));
    const known = limited.headers.get('etag') ?? '';
    expect((await asked('a-and-c', `${total}&account=*`, { 'if-none-match': known })).status).toBe(304);
    expect((await asked('all', `${total}&account=*`, { 'if-none-match': known })).status).toBe(200);
  });

  it('a file holds the same cells', async () => {
    const response = await asked('all', `metrics/total_chats.csv?${range}&account=*&split=account`);
    const lines = (await response.text()).trim().split(/\r?\n/);
    expect(lines[0]).toBe('period,account,chats,state');
    const sum = lines.slice(1).reduce((before, line) => before + Number(line.split(',')[2]), 0);
    expect(sum).toBe(chatsOf(['a', 'b', 'c']));
    const whole = await (await asked('all', `metrics/total_chats.csv?${range}&account=*&grain=total`)).text();
    expect(whole.trim().split(/\r?\n/)).toEqual(['chats,state,accounts_missing', `${sum},complete,`]);
  });

  it('a receipt lists the chats of all, each with its account, as far as the reader may see them', async () => {
    const listed = async (who: string, query: string): Promise<string[]> => {
      const path = `receipts/total_chats?${range}&grain=total&limit=1000&${query}`;
      const receipt = (await (await asked(who, path)).json()) as Receipt;
      expect(receipt.value).toBe(receipt.chats.total);
      return receipt.chats.rows.map((row) => row.account ?? '').sort();
    };
    const each = (ids: readonly string[]): string[] =>
      ids.flatMap((id) => Array.from({ length: chatsOf([id]) }, () => id));
    expect(await listed('all', 'account=*')).toEqual(each(['a', 'b', 'c']));
    expect(await listed('all', 'account=b&account=c')).toEqual(each(['b', 'c']));
    expect(await listed('a-and-c', 'account=*')).toEqual(each(['a', 'c']));
    const refused = await told('a-and-c', `receipts/total_chats?${range}&grain=total&account=a&account=b`);
    expect(refused[0]).toBe(400);
    const [status, { error }] = await told('all', `receipts/availability?${range}&grain=total&account=*`);
    expect([status, error.message]).toEqual([400, expect.stringContaining('ask with split=account')]);
  });

  it('what is of one account only says so', async () => {
    for (const path of ['chats?limit=1', 'reconciliation?limit=1']) {
      const [status, { error }] = await told('all', `${path}&account=a&account=b`);
      expect([status, error.message]).toEqual([
        400,
        expect.stringContaining('account is given 2 times, it takes one value'),
      ]);
    }
  });
});
