// The accounts that a question reads: one, or several together. Ids of chats, groups and goals are unique within an account only.
import type { Dialect } from '../dialect.ts';
import { quarterSeconds } from './time-buckets.ts';

export interface AskedAccounts {
  account: string;
  /** Several accounts together: their ids. `account` then names all of them, and is none. */
  pool?: readonly string[];
}

/** Separates the ids of a pool where one text names it; no id holds it. */
export const poolSeparator = ',';

export const accountsIn = ({ account, pool }: AskedAccounts): readonly string[] => pool ?? [account];

/** The condition that rows belong to them. */
export function ofAccounts(whose: AskedAccounts, alias: string, dialect: Dialect): string {
  const ids = accountsIn(whose).map((id) => dialect.literal(id, 'text'));
  return whose.pool ? `${alias}.account in (${ids.join(', ')})` : `${alias}.account = ${ids.join('')}`;
}

/** The condition that rows count up to a quarter hour, where accounts of a pool have an end of their own. */
export function beforeEnds(
  ends: ReadonlyMap<string, number> | undefined,
  alias: string,
  quarter: string,
  { literal }: Dialect,
): string[] {
  const byEnd = Map.groupBy(ends?.keys() ?? [], (id) => ends?.get(id) ?? 0);
  return [...byEnd].map(
    ([end, ids]) =>
      `(${alias}.account not in (${ids.map((id) => literal(id, 'text')).join(', ')}) or ${quarter} < ${Math.ceil(end / quarterSeconds)})`,
  );
}

/** Rows of two tables are of the same account; nothing where all rows are of one. */
export const sameAccount = ({ pool }: AskedAccounts, one: string, other: string): string[] =>
  pool ? [`${one}.account = ${other}.account`] : [];

/** What tells an id apart from the same id of another account, in front of it. */
export const accountKey = ({ pool }: AskedAccounts, alias: string): string[] => (pool ? [`${alias}.account`] : []);

/** A chat among the rows of a question, as one value or several in parentheses. */
export const chatKey = (whose: AskedAccounts, alias: string): string =>
  whose.pool ? `(${alias}.account, ${alias}.chat_id)` : `${alias}.chat_id`;

/** The same as columns. */
export const chatColumns = (whose: AskedAccounts, alias: string): string =>
  [...accountKey(whose, alias), `${alias}.chat_id`].join(', ');
