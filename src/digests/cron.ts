// Reads a cron expression of five fields and says on which local days and wall-clock minutes it fires.

interface Field {
  name: string;
  least: number;
  most: number;
  words?: readonly string[];
}

const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', least: 0, most: 7, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/** Minutes of the day, in order, and the days on which they count. */
export interface Times {
  /** Minutes since local midnight. */
  minutes: readonly number[];
  /** `day` is the number of days since 1970-01-01. */
  isOn(day: number): boolean;
}

class BadCron extends Error {}

function numberIn(text: string, { name, least, most, words = [] }: Field): number {
  const word = words.indexOf(text.toLowerCase());
  const value = word < 0 ? Number(text) : word + least;
  if (!(word >= 0 || /^\d{1,2}$/.test(text)) || value < least || value > most)
    throw new BadCron(`${name} ${text || '(nothing)'} is not one of ${least} to ${most}`);
  return value;
}

function valuesIn(text: string, field: Field): Set<number> {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [span = '', step, ...rest] = part.split('/');
    if (rest.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step)))
      throw new BadCron(`${field.name} ${part} has a step that is no number`);
    const [first = '', last, ...more] = span === '*' ? [String(field.least), String(field.most)] : span.split('-');
    if (more.length > 0) throw new BadCron(`${field.name} ${part} is no range`);
    const from = numberIn(first, field);
    const to = last === undefined ? (step === undefined ? from : field.most) : numberIn(last, field);
    if (from > to) throw new BadCron(`${field.name} ${part} goes backwards`);
    for (let value = from; value <= to; value += Number(step ?? 1)) found.add(value);
  }
  return found;
}

function parse(expression: string): Set<number>[] {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== fields.length)
    throw new BadCron(`must have five fields (minute hour day month weekday), such as 0 7 * * 1`);
  return fields.map((field, at) => valuesIn(parts[at] ?? '', field));
}

/** What is wrong with an expression, or nothing. */
export function problemOf(expression: string): string | undefined {
  try {
    const times = timesOf(expression);
    // Every date of four years: 29 February counts, 31 February does not.
    const days = Array.from({ length: 1462 }, (_, at) => 19_723 + at);
    return days.some((day) => times.isOn(day)) ? undefined : 'names a day that never comes';
  } catch (error) {
    if (error instanceof BadCron) return error.message;
    throw error;
  }
}

/** As in every cron: when both days are restricted, either is enough. */
export function timesOf(expression: string): Times {
  const [minutes, hours, dates, months, weekdays] = parse(expression);
  const [, , date, , weekday] = expression.trim().split(/\s+/);
  const isFree = (text: string | undefined): boolean => text?.startsWith('*') ?? true;
  const all: number[] = [];
  for (const hour of hours ?? []) for (const minute of minutes ?? []) all.push(hour * 60 + minute);
  return {
    minutes: all.sort((one, other) => one - other),
    isOn(day) {
      const at = new Date(day * 86_400_000);
      if (!months?.has(at.getUTCMonth() + 1)) return false;
      const byDate = dates?.has(at.getUTCDate()) ?? false;
      const byWeekday = weekdays?.has(at.getUTCDay()) || (weekdays?.has(7) && at.getUTCDay() === 0) || false;
      return isFree(date) || isFree(weekday) ? byDate && byWeekday : byDate || byWeekday;
    },
  };
}
