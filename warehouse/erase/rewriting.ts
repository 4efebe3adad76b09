// What erasing people changes in the rows of a table: for each column the value that takes its place.
import type { Dialect } from '../dialect.ts';
import { tables, type Column } from '../tables/tables.ts';

/** A chat or visitor of an account. */
export interface Named {
  account: string;
  id: string;
}

/** What is changed, the same in every file. */
export interface Rewriting {
  /** Chats of those who are erased. */
  chats: readonly Named[];
  /** What stands for each of their ids. */
  visitors: readonly (Named & { pseudonym: string })[];
  /** What stands for a name. */
  name: string;
  /** The character that stands for each of a text. */
  dot: string;
  /** Hashes of changed records, by what they were. */
  hashes: ReadonlyMap<string, string>;
  /** Hashes of the days that list them. */
  days: ReadonlyMap<string, string>;
  /** Personal texts of others that name somebody who is erased, and records that are set aside: what they become. */
  texts: ReadonlyMap<string, string>;
}

export interface Changes {
  /** By column: an expression. Columns that stay are not in it. */
  values: ReadonlyMap<string, string>;
  /** Condition on the rows that may change. */
  where: string;
}

interface Of {
  schema: string;
  name: string;
  columns: readonly string[];
}

/** Condition on rows with `account` and `chat_id`. */
export function ofChats({ literal }: Dialect, chats: readonly Named[], column = 'chat_id'): string {
  const byAccount = Map.groupBy(chats, ({ account }) => account);
  const each = [...byAccount].map(([account, own]) => {
    const ids = own.map(({ id }) => literal(id, 'text')).join(', ');
    return `account = ${literal(account, 'text')} and "${column}" in (${ids})`;
  });
  return each.length === 0 ? '1 = 0' : `(${each.join(' or ')})`;
}

/** Nothing when no row of the table can change. */
export function changesOf(table: Of, rewriting: Rewriting, dialect: Dialect): Changes | undefined {
  const declared = tables.find(({ schema, name }) => schema === table.schema && name === table.name)?.columns ?? {};
  const own = table.columns.includes('chat_id') && rewriting.chats.length > 0 ? ofChats(dialect, rewriting.chats) : '';
  const values = new Map<string, string>();
  const where = new Set<string>();
  for (const column of table.columns) {
    const of = declared[column];
    const texts = mapOf(table, column, of, rewriting);
    let value = `"${column}"`;
    if (texts.size > 0) {
      value = mapped(dialect, column, texts);
      where.add(`"${column}" in (${[...texts.keys()].map((text) => dialect.literal(text, 'text')).join(', ')})`);
    }
    if (own !== '' && (of?.personal || of?.erased)) {
      value = `case when ${own} then ${inPlace(dialect, column, of, rewriting)} else ${value} end`;
      where.add(own);
    }
    if (value !== `"${column}"`) values.set(column, value);
  }
  return values.size === 0 ? undefined : { values, where: `(${[...where].join(' or ')})` };
}

const none: ReadonlyMap<string, string> = new Map();

/** Values of the column that become others, whichever row they stand in. */
function mapOf(
  { schema, name }: Of,
  column: string,
  of: Column | undefined,
  rewriting: Rewriting,
): ReadonlyMap<string, string> {
  if (column === 'content_hash') return rewriting.hashes;
  const place = `${schema}.${name}.${column}`;
  if (place === 'ledger.quarantine.record_id') return rewriting.hashes;
  if (place === 'ledger.periods.hash') return rewriting.days;
  return of?.personal && of.type === 'text' ? rewriting.texts : none;
}

const mapped = ({ literal }: Dialect, column: string, texts: ReadonlyMap<string, string>): string =>
  `case "${column}" ${[...texts].map(([from, to]) => `when ${literal(from, 'text')} then ${literal(to, 'text')}`).join(' ')} else "${column}" end`;

/** What stands in the column of a chat that is erased. */
function inPlace(dialect: Dialect, column: string, of: Column, { visitors, name, dot }: Rewriting): string {
  const named = `case when "${column}" = '' then '' when "${column}" is not null then ${dialect.literal(name, 'text')} end`;
  switch (of.erased) {
    case 'pseudonym': {
      const each = visitors.map(
        ({ account, id, pseudonym }) =>
          `when account = ${dialect.literal(account, 'text')} and "${column}" = ${dialect.literal(id, 'text')} then ${dialect.literal(pseudonym, 'text')}`,
      );
      return each.length === 0 ? `"${column}"` : `case ${each.join(' ')} else "${column}" end`;
    }
    case 'name':
      return named;
    case 'visitors_name':
      return `case when user_type = 'visitor' then ${named} else "${column}" end`;
    case 'dots':
      return dialect.filled(dot, `"${column}"`);
    default:
      return dialect.literal(of.nullable ? null : '', of.type);
  }
}

/** The columns of a select that gives the rows as they become. */
export const selected = (columns: readonly string[], changes: Changes | undefined): string =>
  columns
    .map((column) => {
      const value = changes?.values.get(column);
      return value === undefined ? `"${column}"` : `${value} as "${column}"`;
    })
    .join(', ');
