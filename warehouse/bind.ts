// The values of a statement: named parameters for a question, written out for a view (which has no parameters).
import type { Dialect } from './dialect.ts';
import type { Row, Value } from './engine.ts';
import type { ColumnType } from './tables.ts';

export interface Bind {
  readonly dialect: Dialect;
  /** The parameters given so far, by name. */
  readonly params: Row;
  /** What stands in the statement for a value; the same name again is the same value. */
  value(name: string, value: Value, type: ColumnType): string;
  /** A list of values in parentheses' inside: `$agent_1, $agent_2`. */
  list(name: string, values: readonly Value[], type: ColumnType): string;
}

function bind(dialect: Dialect, place: (name: string, value: Value, type: ColumnType, params: Row) => string): Bind {
  const params: Row = {};
  const value = (name: string, of: Value, type: ColumnType): string => place(name, of, type, params);
  return {
    dialect,
    params,
    value,
    list: (name, values, type) => values.map((of, index) => value(`${name}_${index + 1}`, of, type)).join(', '),
  };
}

export const parameters = (dialect: Dialect): Bind =>
  bind(dialect, (name, value, type, params) => {
    params[name] = value;
    return dialect.param(name, type);
  });

export const literals = (dialect: Dialect): Bind => bind(dialect, (_name, value, type) => dialect.literal(value, type));
