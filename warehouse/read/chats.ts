// Chats and what belongs to them, by id.
import type { AskedAccounts } from '../query/asked-accounts.ts';
import { parameters } from '../query/bind.ts';
import type { Queryable, Row } from '../engine.ts';
import { tableOf } from '../tables/tables.ts';
import type { Page } from './page.ts';

/** A table of chats or related data, and the requested columns. */
export interface ChatTableRead {
  table:
    | 'chats'
    | 'chat_agents'
    | 'chat_groups'
    | 'chat_tags'
    | 'chat_goals'
    | 'chat_surveys'
    | 'chat_variables'
    | 'messages';
  /** All without. */
  columns?: readonly string[];
  /** Columns, with `desc` after descending ones; rows of a chat are adjacent. */
  order: readonly string[];
}

/** Rows of chats with these ids, with `chat_id`; of several accounts with `account`, each with whichever of the ids it has. No ids: no question. */
export async function rowsOfChats(
  engine: Queryable,
  whose: AskedAccounts,
  ids: readonly string[],
  { table, columns = Object.keys(tableOf('facts', table).columns), order }: ChatTableRead,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const bind = parameters(engine.dialect);
  const keys = whose.pool ? ['account', 'chat_id'] : ['chat_id'];
  const wanted = [...new Set([...keys, ...columns])].map((name) => `f."${name}"`);
  return engine.query(
    `select ${wanted.join(', ')}\nfrom facts.${table} as f\n` +
      `where ${[...bind.ofAccount('f', whose), `f.chat_id in (${bind.list('id', ids, 'text')})`].join('\n  and ')}\n` +
      `order by ${[...keys, ...order].map((name) => `f.${name}`).join(', ')}`,
    bind.params,
  );
}

/** Which lines of a chat, and how much of each; everything without. */
export interface Lines {
  page?: Page | undefined;
  /** Truncates longer texts to this many characters, with the full length as `text_length`. */
  longest?: number | undefined;
}

/** Whole rows of the lines of a chat, in order. */
export async function linesOfChat(
  engine: Queryable,
  account: string,
  id: string,
  { page, longest }: Lines,
): Promise<Row[]> {
  const bind = parameters(engine.dialect);
  const { characters, slice } = engine.dialect;
  const length = characters('m."text"');
  const columns = Object.keys(tableOf('facts', 'messages').columns).map((name) =>
    name === 'text' && longest !== undefined
      ? `${slice('m."text"', '1', longest)} as "text", case when ${length} > ${longest} then ${length} end as text_length`
      : `m."${name}"`,
  );
  return engine.query(
    `select ${columns.join(', ')}\nfrom facts.messages as m\n` +
      `where m.account = ${bind.value('account', account, 'text')}\n  and m.chat_id = ${bind.value('id', id, 'text')}\n` +
      `order by m.position${page ? `\nlimit ${page.limit} offset ${page.offset}` : ''}`,
    bind.params,
  );
}

/** Number of chats over all accounts. */
export async function countChats(engine: Queryable): Promise<number> {
  const [row] = await engine.query('select count(*) as chats from facts.chats');
  return Number(row?.['chats'] ?? 0);
}
