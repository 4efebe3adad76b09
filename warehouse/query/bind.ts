// The values of a statement: what users wrote as named parameters (in a view, which has none, written out), the rest in it.
import type { Dialect } from '../dialect.ts';
import type { Row, Value } from '../engine.ts';
import type { ColumnType } from '../tables/tables.ts';

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
  /** The condition that rows belong to an account; nothing where the file holds no other. */
  ofAccount(alias: string, account: string): string[];
}

function bind(
  dialect: Dialect,
  place: (name: string, value: Value, type: ColumnType, params: Row) => string,
  onlyAccount?: string,
): Bind {
  const params: Row = {};
  const value = (name: string, of: Value, type: ColumnType): string => place(name, of, type, params);
  return {
    dialect,
    params,
    value,
    list: (name, values, type) => values.map((of, index) => value(`${name}_${index + 1}`, of, type)).join(', '),
    known: (of, type) => dialect.literal(of, type),
    ofAccount: (alias, account) =>
      account === onlyAccount ? [] : [`${alias}.account = ${dialect.literal(account, 'text')}`],
  };
}

/** `onlyAccount`: the file holds no other. */
export const parameters = (dialect: Dialect, onlyAccount?: string): Bind =>
  bind(
    dialect,
    (name, value, type, params) => {
      params[name] = value;
      return dialect.param(name, type);
    },
    onlyAccount,
  );

export const literals = (dialect: Dialect): Bind => bind(dialect, (_name, value, type) => dialect.literal(value, type));
