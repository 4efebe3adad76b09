// The lists of an account: agents, groups, tags, goals.
import { contextWhenPublished, type QueryContext, type Snapshot, type WarehouseAccount } from '../query/context.ts';
import { localReader, type Reader, type RowRule } from '../query/reader.ts';
import type { Value } from '../engine.ts';

/** The key of each list, and its order. */
const lists = {
  agents: { key: 'login', order: 'name, login' },
  groups: { key: 'group_id', order: 'group_id' },
  goals: { key: 'goal_id', order: 'goal_id' },
} as const;
export type AccountList = keyof typeof lists;

export interface Listed {
  id: Value;
  name: Value;
}

export async function listOf({ snapshot, account }: QueryContext, list: AccountList): Promise<Listed[]> {
  const { key, order } = lists[list];
  const rows = await snapshot.engine.query(
    `select ${key} as id, name
     from account.${list}
     where account = ${snapshot.engine.dialect.param('account', 'text')}
     order by ${order}`,
    { account: account.id },
  );
  return rows.map(({ id = null, name = null }) => ({ id, name }));
}

/** What of a rule the accounts do not have. */
interface NotListed {
  kind: 'accounts' | 'groups' | 'agent';
  /** Ids of those that there are. */
  choices: string[];
  sentence: string;
}

/** Accounts that are named, and that there are not: they would show nothing, without a word. `accounts`: ids of all; any may be named while there are none. */
export function noSuchAccount(named: readonly string[], accounts: readonly string[]): NotListed | undefined {
  const unknown = named.filter((one) => !accounts.includes(one));
  if (accounts.length === 0 || unknown.length === 0) return undefined;
  const sentence = `${unknown.join(', ')}: no such account; choose from ${accounts.join(', ')}`;
  return { kind: 'accounts', choices: [...accounts], sentence };
}

/** The accounts, groups and agents that are named somewhere. */
interface Named extends Pick<RowRule, 'accounts' | 'groups'> {
  agents?: readonly string[];
}

/**
 * The groups, or the agents, of which none of the accounts has them: they would show nothing, without a word. Where an account lists none
 * yet, any may be named. `accounts`: all that there are; `reader`: whose lists are meant and told.
 */
export async function notListed(
  { accounts: ids = [], groups = [], agents = [] }: Named,
  accounts: readonly WarehouseAccount[],
  snapshot: Snapshot,
  reader: Reader = localReader,
): Promise<NotListed | undefined> {
  for (const [kind, list, named] of [
    ['groups', 'groups', groups],
    ['agent', 'agents', agents],
  ] as const) {
    if (named.length === 0) continue;
    const listed: Listed[] = [];
    let unknown = named.map(String);
    for (const account of accounts.filter(({ id }) => ids.includes(id))) {
      const context = await contextWhenPublished(reader, snapshot, account);
      const own = [...(await listOf(context, list)), ...(list === 'groups' ? await otherGroups(context) : [])];
      unknown = unknown.filter((one) => !own.some(({ id }) => String(id) === one));
      if (unknown.length > 0) unknown = await withoutChats(context, list, unknown);
      listed.push(...own);
    }
    if (listed.length === 0 || unknown.length === 0) continue;
    const choices = listed.map(({ id, name }) => `${id} (${name})`).join(', ');
    return {
      kind,
      choices: listed.map(({ id }) => String(id)),
      sentence: `${unknown.join(', ')}: no such ${list.slice(0, -1)} in ${ids.join(', ')}; choose from ${choices}`,
    };
  }
  return undefined;
}

/** Whoever left before the first pull is on no list, and is in chats all the same: those of `named` who are in none. */
async function withoutChats(
  { snapshot, account }: QueryContext,
  list: 'groups' | 'agents',
  named: readonly string[],
): Promise<string[]> {
  const { param } = snapshot.engine.dialect;
  const [table, column, type] =
    list === 'groups' ? (['chat_groups', 'group_id', 'int'] as const) : (['chat_agents', 'agent', 'text'] as const);
  const left: string[] = [];
  for (const one of named) {
    const found = await snapshot.engine.query(
      `select ${column} as id
       from facts.${table}
       where account = ${param('account', 'text')} and ${column} = ${param('named', type)}
       limit 1`,
      { account: account.id, named: list === 'groups' ? Number(one) : one },
    );
    if (found.length === 0) left.push(one);
  }
  return left;
}

/** A, B, …, Z, AA. */
const letters = (place: number): string =>
  (place < 26 ? '' : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26));

/** Several are told apart by letters, which are no ids: pictures and tables have a part for each. */
export const otherGroupsNamed = (ids: readonly number[]): { id: number; name: string }[] =>
  ids.map((id, place) => ({ id, name: ids.length > 1 ? `another group ${letters(place)}` : 'another group' }));

/**
 * Groups of a reader's chats that are not listed to them: an agent's chats may have come from groups of others, whose names the agent is
 * not told. Empty for whoever sees all groups of the chats that they see.
 */
export async function otherGroups({
  reader,
  snapshot,
  account,
}: QueryContext): Promise<{ id: number; name: string }[]> {
  if (reader.rows?.agent === undefined) return [];
  const mine = `account = ${snapshot.engine.dialect.param('account', 'text')}`;
  const rows = await snapshot.engine.query(
    `select distinct group_id
     from facts.chat_groups
     where ${mine}
       and group_id not in (select group_id from account.groups where ${mine})
     order by group_id`,
    { account: account.id },
  );
  return otherGroupsNamed(rows.map(({ group_id }) => Number(group_id)));
}

/** Which tags to list: those that contain a text, ignoring case, and at most `most`; all by default. */
export interface WantedTags {
  most?: number | undefined;
  find?: string | undefined;
}

/** Tags that the account lists, and those of its chats, sorted. */
export async function tagsOf({ snapshot, account }: QueryContext, { most, find }: WantedTags = {}): Promise<string[]> {
  const { param, placeOf } = snapshot.engine.dialect;
  const mine = `account = ${param('account', 'text')}`;
  const holds = find === undefined ? '' : `where ${placeOf(param('find', 'text'), 'tag')} > 0`;
  const rows = await snapshot.engine.query(
    `select tag
     from (
       select name as tag
       from account.tags
       where ${mine}
       union
       select tag
       from facts.chat_tags
       where ${mine}
     ) as named
     ${holds}
     order by tag
     ${most === undefined ? '' : `limit ${most}`}`,
    { account: account.id, ...(find === undefined ? {} : { find }) },
  );
  return rows.map(({ tag }) => String(tag));
}

/** Whether the account's lists name this group or agent. */
export async function isListed(
  { snapshot, account }: QueryContext,
  kind: 'group' | 'agent',
  value: string,
): Promise<boolean> {
  const list = kind === 'group' ? 'groups' : 'agents';
  const { dialect } = snapshot.engine;
  const rows = await snapshot.engine.query(
    `select 1 as found
     from account.${list}
     where account = ${dialect.param('account', 'text')}
       and cast(${lists[list].key} as varchar) = ${dialect.param('value', 'text')}
     limit 1`,
    { account: account.id, value },
  );
  return rows.length > 0;
}

/** Logins of agents whom the account no longer lists. */
export async function removedAgents({ snapshot, account }: QueryContext): Promise<Set<string>> {
  const rows = await snapshot.engine.query(
    `select login
     from account.agents
     where account = ${snapshot.engine.dialect.param('account', 'text')}
       and is_removed`,
    { account: account.id },
  );
  return new Set(rows.map(({ login }) => String(login)));
}
