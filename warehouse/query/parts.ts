// The middle of every statement: a list of tables, the last of which has one row per cell with the measure parts.
import type { MeasurePart, PartTerms } from '../definitions/metric.ts';

/** A `with` list whose last table has one row per cell: key columns, then the parts. */
export interface QueryParts {
  ctes: string[];
  table: string;
  keys: string[];
}

export const partSql = (part: MeasurePart, terms: PartTerms): string =>
  typeof part.sql === 'string' ? part.sql : part.sql(terms);

/** How files say what their columns are, whatever engine reads them. */
export const asWritten: PartTerms = {
  quantile: (of, q) => `quantile(${of}, ${q})`,
  rounded: (of) => `round(${of})`,
};

/** Merges a part from partial results over some of the rows. */
export const merged = (name: string, part: MeasurePart): string => `${part.merge}(${name}) as ${name}`;

export const lines = (items: readonly string[]): string => items.map((item) => `    ${item}`).join(',\n');
export const groupBy = (keys: readonly string[]): string => (keys.length > 0 ? `\n  group by ${keys.join(', ')}` : '');
