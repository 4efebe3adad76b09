// With which days an answer is compared: weekdays with the same weekdays, months with as many months.
import { dateOf, dayNumber, isoWeekOf, mondayOf } from '../periods.ts';
import type { Ask } from './ask.ts';

/**
 * The same question about the time that it is compared with, which is as long. `previous`: the nearest days before it that are the
 * same weekdays, whole weeks earlier and none of its own. `year`: the same weekdays of the same ISO week a year earlier (of the 53rd
 * week those of the 52nd where there is none). By month: as many months before, or the same months a year earlier.
 */
export function comparedAsk({ compare, ...ask }: Ask): Ask {
  const [from, to] = [dayNumber(ask.from), dayNumber(ask.to)];
  if (ask.grain === 'month') {
    const months = compare === 'year' ? 12 : monthOf(ask.to) - monthOf(ask.from) + 1;
    return { ...ask, from: monthsBefore(ask.from, months), to: monthsBefore(ask.to, months) };
  }
  const earlier = compare === 'year' ? daysToYearBefore(from) : Math.ceil((to - from + 1) / 7) * 7;
  return { ...ask, from: dateOf(from - earlier), to: dateOf(to - earlier) };
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
