// Which chats lose something: those of a person, or all that began within a range of days.
import type { Dialect } from '../dialect.ts';
import type { Tells } from '../tables/tables.ts';

/** A chat or visitor of an account. */
export interface ErasedId {
  account: string;
  id: string;
}

/** Days (YYYY-MM-DD, UTC) on which chats began: `from` is null for no lower limit, `before` is exclusive. */
export interface Begun {
  from: string | null;
  before: string;
}

type ErasureSelection = { chats: readonly ErasedId[] } | Begun;

/** Which content of which chats is removed. */
export interface Loss {
  of: ErasureSelection;
  tells: ReadonlySet<Tells>;
}

/** Condition on rows with `account` and `chat_id`. */
export function ofChats({ literal }: Dialect, chats: readonly ErasedId[], column = 'chat_id'): string {
  const byAccount = Map.groupBy(chats, ({ account }) => account);
  const each = [...byAccount].map(([account, own]) => {
    const ids = own.map(({ id }) => literal(id, 'text')).join(', ');
    return `account = ${literal(account, 'text')} and "${column}" in (${ids})`;
  });
  return each.length === 0 ? '1 = 0' : `(${each.join(' or ')})`;
}

const day_ms = 86_400_000;
const quarter_ms = 900_000;

/** Condition on rows of a table with these columns; empty if the table holds none of these chats. */
export function ofSelection(dialect: Dialect, selection: ErasureSelection, columns: readonly string[]): string {
  if (!columns.includes('chat_id')) return '';
  if ('chats' in selection) return selection.chats.length === 0 ? '' : ofChats(dialect, selection.chats);
  const { from, before } = selection;
  if (columns.includes('started_quarter')) {
    const quarterOf = (day: string): string => dialect.literal(Date.parse(day) / quarter_ms, 'int');
    const first = from === null ? '' : `"started_quarter" >= ${quarterOf(from)} and `;
    return `(${first}"started_quarter" < ${quarterOf(before)})`;
  }
  // A local day may begin before and end after that of UTC: none is left in which one of the chats may have begun.
  const near = (day: string, days: number): string =>
    dialect.literal(new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10), 'date');
  return `(${from === null ? '' : `"day" >= ${near(from, -1)} and `}"day" <= ${near(before, 1)})`;
}
