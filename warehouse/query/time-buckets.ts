// From quarter hours (UTC) to the local cells of a question: the second of the two steps of every period in a zone.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import type { LocalPart } from '../dialect.ts';
import { range } from '../periods.ts';
import { stretches } from '../zone.ts';

export const quarterSeconds = 900;

/** The local time that the question is grouped by: labels of the columns, in order. */
export type LocalKey = 'period' | LocalPart;

export function localKeys(ask: Ask): LocalKey[] {
  const parts = ask.split.filter((split): split is LocalPart => split === 'weekday' || split === 'hour_of_day');
  return ask.grain === 'total' ? parts : ['period', ...parts];
}

/** First second of the asked range and the first after it, Unix. */
export function asked(ask: Ask): { from: number; until: number } {
  const { from, until } = range(ask.timezone, ask.from, ask.to);
  return { from, until: Math.max(from, Math.min(until, ask.until ?? until, ask.reached ?? until)) };
}

// TRICKY: a few zones changed their clocks at 00:01 (St. John's until 2011): the range then does not begin on a quarter hour, and that
// minute counts towards the quarter hour that contains it.
export function quarters(ask: Ask): { first: number; last: number } {
  const { from, until } = asked(ask);
  return { first: Math.floor(from / quarterSeconds), last: Math.ceil(until / quarterSeconds) };
}

/** A quarter hour of the range as one of local time. */
function localQuarter(ask: Ask, quarter: string): string {
  const { first, last } = quarters(ask);
  const zone = stretches(ask.timezone, first * quarterSeconds, last * quarterSeconds);
  const shifts = zone.map(({ offset }) => Math.floor(offset / quarterSeconds));
  const whens = zone
    .slice(0, -1)
    .map(({ until }, index) => `when ${quarter} < ${Math.floor(until / quarterSeconds)} then ${shifts[index]}`);
  const shift = whens.length > 0 ? `case ${whens.join(' ')} else ${shifts.at(-1)} end` : String(shifts.at(-1));
  return `${quarter} + ${shift}`;
}

/** Length of a period in quarter hours, and how far 1970 began into one: weeks begin on Monday, 1970 on a Thursday. */
const even: Partial<Record<Ask['grain'], { length: number; begun: number }>> = {
  hour: { length: 4, begun: 0 },
  day: { length: 96, begun: 0 },
  week: { length: 7 * 96, begun: 3 * 96 },
};

/** `cell` numbers the period of a quarter hour, `period` is its start again. */
export interface NumberedPeriods {
  cell: string;
  period: (cell: string) => string;
}

/**
 * Periods of even length as numbers, for grouping many rows at once without a calendar. Nothing for months and for parts of local time.
 */
export function numbered(
  ask: Ask,
  bind: Bind,
  keys: readonly LocalKey[],
  quarter: string,
): NumberedPeriods | undefined {
  const size = even[ask.grain];
  if (!size || keys.length !== 1 || keys[0] !== 'period') return undefined;
  const { length, begun } = size;
  const moved = (sign: '+' | '-'): string => (begun === 0 ? '' : ` ${sign} ${begun}`);
  return {
    cell: bind.dialect.wholes(`(${localQuarter(ask, quarter)}${moved('+')})`, length),
    period: (cell) => bind.dialect.localTime(`${cell} * ${length}${moved('-')}`),
  };
}

/**
 * A local key as an expression of the quarter hour (UTC). Whole numbers as far as possible: ten times faster than the
 * calendar of an engine.
 */
export function localColumn(ask: Ask, bind: Bind, key: LocalKey, quarter: string): string {
  const { dialect } = bind;
  const local = localQuarter(ask, quarter);
  if (key === 'weekday') return `(${dialect.wholes(`(${local} + ${3 * 96})`, 96)}) % 7 + 1`;
  if (key === 'hour_of_day') return `(${dialect.wholes(`(${local})`, 4)}) % 24`;
  const numbers = numbered(ask, bind, ['period'], quarter);
  return numbers
    ? numbers.period(numbers.cell)
    : dialect.period(dialect.localTime(local), ask.grain === 'total' ? 'day' : ask.grain);
}

/** `cells`: one row per quarter hour of the range, with the local keys. */
export function cells(ask: Ask, bind: Bind, keys: readonly LocalKey[]): string {
  const { first, last } = quarters(ask);
  const columns = keys.map((key) => `${localColumn(ask, bind, key, 'quarter')} as ${key}`);
  const series = bind.dialect.quarters(bind.known(first, 'int'), bind.known(last, 'int'));
  return `cells as (\n  select quarter, ${columns.join(', ')}\n  from ${series} as series\n)`;
}
