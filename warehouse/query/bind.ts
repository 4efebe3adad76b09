// The values of a statement: what users wrote as named parameters (in a view, which has none, written out), the rest in it.
import type { Dialect } from '../dialect.ts';
import type { Row, Value } from '../engine.ts';
import type { ColumnType } from '../tables/tables.ts';
import { accountsIn, ofAccounts, type AskedAccounts } from './asked-accounts.ts';

export interface Bind {
  readonly dialect: Dialect;
  /** The parameters so far, by name. */
  readonly params: Row;
  /** The placeholder for a value; a repeated name refers to the same value. */
  value(name: string, value: Value, type: ColumnType): string;
  /** A list of values in parentheses' inside: `$agent_1, $agent_2`. */
  list(name: string, values: readonly Value[], type: ColumnType): string;
  /**
   * A value that the program worked out or checked, never words of a user: written out. TRICKY: a statement with
   * parameters is planned twice, which is a fifth of a small question.
   */
  known(value: Value, type: ColumnType): string;
  /** The condition that rows of chats belong to the accounts of a question; nothing where the file has no others. */
  ofAccount(alias: string, whose: AskedAccounts): string[];
}

function bind(
  dialect: Dialect,
  place: (name: string, value: Value, type: ColumnType, params: Row) => string,
  present: readonly string[] = [],
): Bind {
  const params: Row = {};
  const value = (name: string, of: Value, type: ColumnType): string => place(name, of, type, params);
  return {
    dialect,
    params,
    value,
    list: (name, values, type) => values.map((of, index) => value(`${name}_${index + 1}`, of, type)).join(', '),
    known: (of, type) => dialect.literal(of, type),
    ofAccount(alias, whose) {
      const asked = new Set(accountsIn(whose));
      const isOfAll = present.length > 0 && present.every((id) => asked.has(id));
      return isOfAll ? [] : [ofAccounts(whose, alias, dialect)];
    },
  };
}

/** `present`: the accounts that have chats in the file, if they are known. */
export const parameters = (dialect: Dialect, present?: readonly string[]): Bind =>
  bind(
    dialect,
    (name, value, type, params) => {
      params[name] = value;
      return dialect.param(name, type);
    },
    present,
  );

export const literals = (dialect: Dialect): Bind => bind(dialect, (_name, value, type) => dialect.literal(value, type));
