// Percentiles of a statement: taken as one list per value, or, over all rows at once, from how often each value occurs.
import type { Dialect } from '../dialect.ts';
import type { MeasurePart } from '../definitions/metric.ts';
import { groupBy, lines, merged, partSql } from './parts.ts';
import { tableOf } from '../tables/tables.ts';

export type NamedPart = readonly [name: string, part: MeasurePart];

/** Aggregates, and the columns that they fill in the select around them. */
interface Aggregates {
  taken: string[];
  unpacked: string[];
}

/** Aggregates over rows; several percentiles of the same values are one list, sorted once. */
export function aggregates(parts: readonly NamedPart[], dialect: Dialect, fill: (sql: string) => string): Aggregates {
  const taken: string[] = [];
  const unpacked: string[] = [];
  const lists = new Map<string, number[]>();
  for (const [, { quantile }] of parts)
    if (quantile) lists.set(quantile.of, [...(lists.get(quantile.of) ?? []), quantile.q]);
  const names = [...lists.keys()];
  for (const [of, qs] of lists) taken.push(`${fill(dialect.quantiles(of, qs))} as quantiles_${names.indexOf(of) + 1}`);
  for (const [name, part] of parts) {
    const { quantile } = part;
    if (!quantile) taken.push(`${fill(partSql(part, dialect))} as ${name}`);
    const place = quantile ? (lists.get(quantile.of) ?? []).indexOf(quantile.q) + 1 : 0;
    const list = quantile ? `quantiles_${names.indexOf(quantile.of) + 1}` : '';
    unpacked.push(quantile ? `${dialect.element(list, place)} as ${name}` : name);
  }
  return { taken, unpacked };
}

/**
 * The column of whole seconds that all percentiles of a metric use, if there is just one: among millions of chats only a few thousand
 * waits differ, so that counting each wait once is four times faster than sorting the chats. That holds for a single cell; over many
 * cells there are as many pairs of cell and wait as chats.
 */
export function countable(parts: readonly NamedPart[]): string | undefined {
  const [of, ...others] = new Set(parts.flatMap(([, { quantile }]) => (quantile ? [quantile.of] : [])));
  const [, column = ''] = /^c\.(\w+)$/.exec(of ?? '') ?? [];
  const isWhole = tableOf('facts', 'chats').columns[column]?.type === 'int';
  return others.length === 0 && isWhole ? of : undefined;
}

/** The same as `Dialect.quantile`, from values in order: `through` rows up to each of them, the `last` row counted from 0. */
function placed(q: number): string {
  // An exponent makes it a floating-point number, as the engine's own percentiles reckon.
  const place = (last: string): string => `${q}e0 * ${last}`;
  const part = `((${place('max(last)')}) % 1)`;
  const at = (round: 'floor' | 'ceil'): string => `min(value) filter (where through > ${round}(${place('last')}))`;
  return `${at('floor')} * (1 - ${part}) + ${at('ceil')} * ${part}`;
}

/** One row over all rows: each value of a column with its number of rows first, then everything from those. */
export function countedValues(
  of: string,
  parts: readonly NamedPart[],
  dialect: Dialect,
  fill: (sql: string) => string,
  rows: string,
): string[] {
  const known = new Map([
    [`count(${of})`, 'sum(times)'],
    [`sum(${of})`, 'sum(value * times)'],
    [`min(${of})`, 'min(value)'],
    [`max(${of})`, 'max(value)'],
  ]);
  const sqlOf = (part: MeasurePart): string => fill(partSql(part, dialect));
  const others = parts.filter(([, part]) => !part.quantile && !known.has(sqlOf(part)));
  const byValue = [
    `${of} as value`,
    `count(${of}) as times`,
    ...others.map(([name, part]) => `${sqlOf(part)} as ${name}`),
  ];
  const inOrder = [
    ...['value', 'times', 'sum(times) over (order by value) as through', 'sum(times) over () - 1 as last'],
    ...others.map(([name]) => name),
  ];
  const whole = parts.map(([name, part]) => {
    if (part.quantile) return `${placed(part.quantile.q)} as ${name}`;
    const sql = known.get(sqlOf(part));
    return sql === undefined ? merged(name, part) : `${sql} as ${name}`;
  });
  return [
    `by_value as (\n  select\n${lines(byValue)}\n  ${rows}${groupBy([of])}\n)`,
    `in_order as (\n  select\n${lines(inOrder)}\n  from by_value\n)`,
    `archived as (\n  select\n${lines(whole)}\n  from in_order\n)`,
  ];
}
