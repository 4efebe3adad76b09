// The arithmetic of recipes over plain rows, on purpose not the metric's SQL: a receipt compares the two.
import type { Row } from '../../engine.ts';
import type { MeasureRecipe } from '../recipe.ts';

export const sumOf = (values: readonly number[]): number => {
  // Summed with the lost low digits carried along, so that the order of a million chats does not matter.
  let [sum, lost] = [0, 0];
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
};

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sumOf(values) / values.length;

/** The quantile, interpolated between its two neighbours. */
export function quantileOf(values: readonly number[], q: number): number | null {
  const sorted = Float64Array.from(values).sort();
  const at = q * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below === undefined || above === undefined ? null : below + (above - below) * (at - Math.floor(at));
}

const extreme = (values: readonly number[], pick: (one: number, other: number) => number): number | null => {
  let found: number | null = null;
  for (const value of values) found = found === null ? value : pick(found, value);
  return found;
};
export const leastOf = (values: readonly number[]): number | null => extreme(values, Math.min);
export const mostOf = (values: readonly number[]): number | null => extreme(values, Math.max);

export const numberOf = (row: Row, name: string): number | null => {
  const value = row[name];
  return value === null || value === undefined ? null : Number(value);
};

/** Half up, with room for binary dust, as docs/counting.md says. */
const rounded = (value: number): number => Math.floor(value + 0.5 + 1e-7);

/** As pages write the number beside it: `9.4 s`, `12 s`, `3 m 05 s`, `73 h 04 m`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${rounded(seconds * 10) / 10} s`;
  const whole = rounded(seconds);
  if (whole < 60) return `${whole} s`;
  const [count, large, small] =
    whole < 3600 ? ([whole, 'm', 's'] as const) : ([rounded(seconds / 60), 'h', 'm'] as const);
  const rest = count % 60 ? ` ${String(count % 60).padStart(2, '0')} ${small}` : '';
  return `${Math.floor(count / 60)} ${large}${rest}`;
}

/** As pages write it: `USD 203.19`, `JPY 47,155`. */
export function amountOf(price: number, currency: string): string {
  const shown = rounded(price * 100) / 100;
  if (!/^[A-Z]{3}$/.test(currency))
    return `${new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(shown)} ${currency}`;
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay: 'code' }).format(shown);
}

/** Each row that meets a condition counts one. `otherwise` says why the others do not. */
export const counting = (
  what: string,
  is: (row: Row) => boolean,
  words: string | ((row: Row) => string),
  otherwise: string | ((row: Row) => string),
  unit = 'chats',
): MeasureRecipe => ({
  how: `number of ${what}`,
  unit,
  brings: (row) =>
    is(row)
      ? { value: 1, words: typeof words === 'string' ? words : words(row) }
      : { left_out: typeof otherwise === 'string' ? otherwise : otherwise(row) },
  total: sumOf,
});

export const everyChat = counting('chats', () => true, 'one chat', '');

/** One for rows that meet a condition, zero for other eligible rows; the number is their mean. */
export const sharing = (
  how: string,
  can: (row: Row) => string | null,
  is: (row: Row) => boolean,
  words: (isOne: boolean, row: Row) => string,
  total: MeasureRecipe['total'] = meanOf,
): MeasureRecipe => ({
  how,
  unit: 'chats',
  brings: (row) => {
    const reason = can(row);
    if (reason !== null) return { left_out: reason };
    const isOne = is(row);
    return { value: isOne ? 1 : 0, words: words(isOne, row) };
  },
  total,
});

/** A number of each row that has one. */
export const valuing = (
  how: string,
  unit: string,
  value: (row: Row) => number | null,
  words: (value: number, row: Row) => string,
  otherwise: string | ((row: Row) => string),
  total: MeasureRecipe['total'],
): MeasureRecipe => ({
  how,
  unit,
  brings: (row) => {
    const found = value(row);
    if (found !== null) return { value: found, words: words(found, row) };
    return { left_out: typeof otherwise === 'string' ? otherwise : otherwise(row) };
  },
  total,
});

export const always = (): null => null;
