// With which days an answer is compared: weekdays with the same weekdays, months with as many months, up to the same clock time.
import type { Row } from '../engine.ts';
import { clockAt, dateOf, dayNumber, isoWeekOf, localDate, mondayOf, range, secondAt, slots } from '../periods.ts';
import type { Ask } from './ask.ts';
import type { Coverage } from './coverage.ts';
import { quarterSeconds } from './time-buckets.ts';

/**
 * The same question about the compared range, which has the same length. `previous`: the nearest earlier days with the same weekdays,
 * whole weeks earlier and without overlap. `year`: the same weekdays of the same ISO week a year earlier (week 52 for week 53 if there is
 * none). By month: the same number of months before, or the same months a year earlier. `reached`: the Unix second up to which the range
 * is known; the compared range ends on the corresponding day at the same local time, rounded to a quarter hour.
 */
export function comparedAsk(asked: Ask, reached = Infinity): Ask {
  const { compare: _, ...ask } = asked;
  const earlier = earlierFor(asked);
  const compared: Ask = { ...ask, from: earlier(ask.from), to: earlier(ask.to) };
  const { from, until } = range(ask.timezone, ask.from, ask.to);
  if (reached < from || reached >= until) return compared;
  const to = earlier(localDate(ask.timezone, reached));
  const same = secondAt(ask.timezone, to, clockAt(ask.timezone, reached));
  // In its last minutes a day is not over.
  const last = range(ask.timezone, to, to).until - quarterSeconds;
  return { ...compared, to, until: Math.min(Math.round(same / quarterSeconds) * quarterSeconds, last) };
}

/** With which local date one of the range is compared. */
function earlierFor({ compare, grain, from, to }: Ask): (date: string) => string {
  if (grain === 'month') {
    const months = compare === 'year' ? 12 : monthOf(to) - monthOf(from) + 1;
    return (date) => monthsBefore(date, months);
  }
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const days = compare === 'year' ? daysToYearBefore(first) : Math.ceil((last - first + 1) / 7) * 7;
  return (date) => dateOf(dayNumber(date) - days);
}

/** Until when a range is known: the end of its last pulled day, or the time of the pull if that day was still running. */
export const reachedIn = (coverage: Coverage): number | undefined => {
  const last = coverage.at(-1);
  return last && Math.min(last.until, last.pulled);
};

/** Rows without those of hours that begin when nothing counts any more: a line ends there. */
export function untilEnd({ timezone, to, grain, until }: Ask, rows: Row[]): Row[] {
  if (until === undefined || grain !== 'hour') return rows;
  const over = new Set<string>();
  for (const { period, pieces } of slots(timezone, to, to, grain, []))
    if (period !== undefined && pieces().every((piece) => piece.from >= until)) over.add(period);
  return rows.filter(({ period }) => !over.has(String(period)));
}

function daysToYearBefore(day: number): number {
  const { year, week } = isoWeekOf(day);
  const earlier = mondayOf(year - 1, week);
  return day - mod7(day) - (isoWeekOf(earlier).year === year - 1 ? earlier : earlier - 7);
}

/** Days since the Monday of its week. */
const mod7 = (day: number): number => (day + 3) % 7;

/** Months since the year 0. */
const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

/** The last day of a month stays the last; a day that the earlier month does not have becomes its last. */
function monthsBefore(date: string, months: number): string {
  const month = monthOf(date) - months;
  const [first, next] = [month, month + 1].map((each) => Date.UTC(Math.floor(each / 12), each % 12, 1) / 86_400_000);
  const last = (next ?? 0) - 1;
  const isLast = dateOf(dayNumber(date) + 1).endsWith('-01');
  return dateOf(isLast ? last : Math.min((first ?? 0) + Number(date.slice(8)) - 1, last));
}
