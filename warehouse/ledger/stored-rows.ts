// Existing rows that a pull may replace: chats of a day, and the lists of an account.
import type { Queryable, Row } from '../engine.ts';
import { tableOf } from '../tables/tables.ts';

/** Unix seconds: `first` included, `last` not. */
interface StoredSpan {
  first: number;
  last: number;
}

const versions = 'chat_id, content_hash, started_quarter';

/** `chat_id`, `content_hash`, `started_quarter` of the chats that started in a span, in order of their ids. */
export const chatsStartedIn = (engine: Queryable, account: string, { first, last }: StoredSpan): Promise<Row[]> => {
  const { param } = engine.dialect;
  return engine.query(
    `select ${versions}
     from facts.chats
     where account = ${param('account', 'text')}
       and started_second >= ${param('first', 'bigint')}
       and started_second < ${param('last', 'bigint')}
     order by chat_id`,
    { account, first, last },
  );
};

/** The same of these chats, whenever they started. */
export const chatsNamed = (engine: Queryable, account: string, ids: readonly string[]): Promise<Row[]> => {
  const { param, literal } = engine.dialect;
  return engine.query(
    `select ${versions}
     from facts.chats
     where account = ${param('account', 'text')}
       and chat_id in (${ids.map((id) => literal(id, 'text')).join(', ')})`,
    { account },
  );
};

/** When the newest of the chats that started before a time started, Unix seconds; undefined where there is none. */
export async function newestStartBefore(
  engine: Queryable,
  account: string,
  before: number,
): Promise<number | undefined> {
  if (!Number.isFinite(before)) return undefined;
  const { param } = engine.dialect;
  const [found] = await engine.query(
    `select max(started_second) as newest
     from facts.chats
     where account = ${param('account', 'text')}
       and started_second < ${param('before', 'bigint')}`,
    { account, before },
  );
  return found?.newest == null ? undefined : Number(found.newest);
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Whole rows of a table of facts that belong to these chats, which started in a span. */
export const rowsStored = (
  engine: Queryable,
  account: string,
  table: string,
  ids: readonly string[],
  { first, last }: StoredSpan,
): Promise<Row[]> => {
  const { param, literal } = engine.dialect;
  return engine.query(
    `select ${quoted(Object.keys(tableOf('facts', table).columns))}
     from facts.${table}
     where account = ${param('account', 'text')}
       and started_quarter between ${param('first', 'int')} and ${param('last', 'int')}
       and chat_id in (${ids.map((id) => literal(id, 'text')).join(', ')})`,
    { account, first: Math.floor(first / 900), last: Math.floor(last / 900) },
  );
};

/** Columns of a list of the account, of all its rows. */
export const listStored = (
  engine: Queryable,
  account: string,
  table: string,
  columns: readonly string[],
): Promise<Row[]> =>
  engine.query(
    `select ${quoted(columns)}
     from account.${table}
     where account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );

/** Distinct values of a list's column, sorted, as text. */
export async function namesListed(
  engine: Queryable,
  account: string,
  table: string,
  column: string,
): Promise<string[]> {
  const rows = await engine.query(
    `select distinct cast(${column} as varchar) as name
     from account.${table}
     where account = ${engine.dialect.param('account', 'text')}
     order by name`,
    { account },
  );
  return rows.map(({ name }) => String(name));
}

/** Groups, and agents who are not removed, in order. */
export async function groupsAndAgents(
  engine: Queryable,
  account: string,
): Promise<{ groups: number[]; agents: string[] }> {
  const mine = `account = ${engine.dialect.param('account', 'text')}`;
  const groups = await engine.query(`select group_id from account.groups where ${mine} order by group_id`, { account });
  const agents = await engine.query(
    `select login from account.agents where ${mine} and not is_removed order by login`,
    { account },
  );
  return { groups: groups.map((row) => Number(row.group_id)), agents: agents.map((row) => String(row.login)) };
}

export async function countChats(engine: Queryable): Promise<number> {
  const [counted] = await engine.query('select count(*) as chats from facts.chats');
  return Number(counted?.chats);
}
