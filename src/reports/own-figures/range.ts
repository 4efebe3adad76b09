// Which days may be chosen for own figures: complete past days, and enough of them that no answer reveals a single day.
import { Refused } from '#warehouse/errors.ts';
import { dateOf, dayNumber, isDate, localDate } from '#warehouse/periods.ts';

const least_days = 7;
export const most_days = 366;
const usual_days = 28;

export interface FigureDays {
  /** Local dates of the account's own zone, both included. */
  from: string;
  to: string;
}

const dayIn = (name: string, value: string): string => {
  if (!isDate(value)) throw new Refused(name, `${name}=${value} is not a date, write it as YYYY-MM-DD`);
  return value;
};

/** By default the last four weeks, as far as they were pulled. `now` in Unix seconds. Errors: Refused. */
export function daysOf(
  asked: { from: string | undefined; to: string | undefined },
  { timezone, since }: { timezone: string; since: string },
  now: number,
): FigureDays {
  const yesterday = dateOf(dayNumber(localDate(timezone, now)) - 1);
  const to = asked.to === undefined ? yesterday : dayIn('to', asked.to);
  const usual = dateOf(dayNumber(to) - usual_days + 1);
  const from = asked.from === undefined ? (usual < since ? since : usual) : dayIn('from', asked.from);
  if (to > yesterday)
    throw new Refused('to', `to=${to} is not over yet: own figures are of whole days, up to ${yesterday}`, [yesterday]);
  if (from < since) throw new Refused('from', `from=${from} is before ${since}, the first day there is`, [since]);
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (days < least_days || days > most_days)
    throw new Refused(
      'from',
      `from=${from} to=${to} are ${days} days: own figures are of ${least_days} to ${most_days} days`,
    );
  return { from, to };
}
