// A report's schedule in the form: days of the week, or a day of each month or quarter, at a time. Stored as cron.

/** Monday is 1, Sunday 7. */
export type Times =
  | { every: 'week'; days: number[]; time: string }
  /** `last`: the last day of the month. */
  | { every: 'month' | 'quarter'; day: number | 'last'; time: string };

export const allDays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Later days are not in every month. */
export const monthDays = Array.from({ length: 28 }, (_, at) => at + 1);

const quarters = '1,4,7,10';
const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Errors: none; no day at all is an expression that is refused as one. */
export function cronFor(times: Times): string {
  const [hour = '', minute = ''] = times.time.split(':').map((part) => String(Number(part || NaN)));
  const at = `${minute} ${hour}`;
  if (times.every === 'week') return `${at} * * ${times.days.length === 7 ? '*' : weekdaysFor(times.days)}`;
  return `${at} ${times.day === 'last' ? 'L' : times.day} ${times.every === 'month' ? '*' : quarters} *`;
}

/** Whether the form has no weekday selected. */
export const hasNoDay = (cron: string): boolean => /^\S+ \S+ \* \* $/.test(cron);

/** In cron's own numbers, Sunday first. */
const weekdaysFor = (days: readonly number[]): string =>
  days
    .map((day) => day % 7)
    .sort()
    .join(',');

/** Nothing where the form cannot say it. */
export function timesIn(cron: string): Times | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = cron.trim().toLowerCase().split(/\s+/);
  if (more.length > 0 || !/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour)) return undefined;
  if (Number(minute) > 59 || Number(hour) > 23) return undefined;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*' && month === '*') {
    const days = weekdaysIn(weekday);
    return days && { every: 'week', days, time };
  }
  const every = month === '*' ? 'month' : month === quarters ? 'quarter' : undefined;
  if (weekday !== '*' || !every) return undefined;
  if (day === 'l') return { every, day: 'last', time };
  const on = monthDays.find((it) => String(it) === day);
  return on === undefined ? undefined : { every, day: on, time };
}

function weekdaysIn(text: string): number[] | undefined {
  if (text === '*') return [...allDays];
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [from, to = from, ...more] = part.split('-').map(weekdayOf);
    if (from === undefined || to === undefined || from > to || more.length > 0) return undefined;
    for (let day = from; day <= to; day++) days.add(day % 7 || 7);
  }
  return [...days].sort();
}

/** Sunday is 0, and 7 at the end of a range. */
function weekdayOf(text: string): number | undefined {
  if (/^[0-7]$/.test(text)) return Number(text);
  const at = names.indexOf(text);
  return at < 0 ? undefined : at;
}
