// What a row rule leaves of a file: chats are told apart by account and id, by the id alone only where there is one account.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { narrowed } from '#warehouse/query/narrowed.ts';
import type { RowRule } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { insert, second } from './account.ts';

const day = second('2026-05-04T10:00:00Z');

/** Chats of accounts, each of one group; the same id may be in several accounts. */
async function leftOf(chats: readonly [account: string, chat_id: string, group_id: number][], rule: RowRule) {
  const folder = mkdtempSync(join(tmpdir(), 'narrowed-'));
  const writer = await openWarehouse(':memory:');
  const rows = chats.map(([account, chat_id, group_id]) => ({
    ...{ account, chat_id, group_id, started_second: day, started_quarter: Math.floor(day / 900) },
  }));
  await insert(writer, 'facts', 'chats', rows);
  await insert(writer, 'facts', 'chat_groups', rows);
  await insert(
    writer,
    'facts',
    'chat_tags',
    rows.map((row) => ({ ...row, tag: row.chat_id })),
  );
  await insert(
    writer,
    'facts',
    'chat_goals',
    rows.map((row) => ({ ...row, goal_id: 1 })),
  );
  const { file } = await publish(writer, folder, day * 1000);
  await writer.close();
  const engine = await openWarehouse(file, { readOnly: true });
  try {
    const narrow = await narrowed(engine, rule);
    const seen = async (table: string): Promise<string[]> =>
      (await narrow.query(`select account, chat_id from facts.${table} order by all`)).map(
        (row) => `${String(row.account)} ${String(row.chat_id)}`,
      );
    const [of, ...others] = await Promise.all(['chats', 'chat_groups', 'chat_tags', 'chat_goals'].map(seen));
    for (const it of others) expect(it).toEqual(of);
    return of;
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

it('a chat of another account with the same id stays hidden', async () => {
  const chats: [string, string, number][] = [
    ['one', 'A', 1],
    ['one', 'B', 2],
    ['two', 'A', 2],
    ['two', 'B', 1],
  ];
  expect(await leftOf(chats, { groups: [1] })).toEqual(['one A', 'two B']);
  expect(await leftOf(chats, { groups: [1], accounts: ['two'] })).toEqual(['two B']);
});

it('a colleague of another account is not listed for being of the same name', async () => {
  const writer = await openWarehouse(':memory:');
  const of = (account: string, logins: readonly string[]) => logins.map((login) => ({ account, login }));
  await insert(writer, 'account', 'agents', [...of('one', ['x', 'y']), ...of('two', ['x', 'y', 'z'])]);
  const members = [
    { account: 'one', group_id: 1, login: 'x' },
    { account: 'two', group_id: 1, login: 'z' },
  ];
  await insert(writer, 'account', 'group_agents', members);
  const folder = mkdtempSync(join(tmpdir(), 'narrowed-'));
  const { file } = await publish(writer, folder, day * 1000);
  const engine = await openWarehouse(file, { readOnly: true });
  const narrow = await narrowed(engine, { groups: [1] });
  const listed = await narrow.query('select account, login from account.agents order by all');
  expect(listed).toEqual([
    { account: 'one', login: 'x' },
    { account: 'two', login: 'z' },
  ]);
  await engine.close();
  await writer.close();
  rmSync(folder, { recursive: true });
});

it('of one account the chats of the group are left, and none of an account that is not there', async () => {
  const chats: [string, string, number][] = [
    ['one', 'A', 1],
    ['one', 'B', 2],
  ];
  expect(await leftOf(chats, { groups: [1] })).toEqual(['one A']);
  expect(await leftOf(chats, { groups: [1], accounts: ['two'] })).toEqual([]);
  expect(await leftOf([], { groups: [1] })).toEqual([]);
});
