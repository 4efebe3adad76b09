// The middle of every statement: a list of tables, the last of which has one row per cell with the measure parts.
import type { Dialect } from '../dialect.ts';
import type { MeasurePart } from '../definitions/metric.ts';

/** A `with` list whose last table has one row per cell: key columns, then the parts. */
export interface QueryParts {
  ctes: string[];
  table: string;
  keys: string[];
}

export const partSql = (part: MeasurePart, dialect: Dialect): string =>
  typeof part.sql === 'string' ? part.sql : part.sql(dialect);

/** Merges a part from partial results over some of the rows. */
export const merged = (name: string, part: MeasurePart): string => `${part.merge}(${name}) as ${name}`;

export const lines = (items: readonly string[]): string => items.map((item) => `    ${item}`).join(',\n');
export const groupBy = (keys: readonly string[]): string => (keys.length > 0 ? `\n  group by ${keys.join(', ')}` : '');
