// The periods that a period is compared with as one: the same weekday, or weekday and hour, of four weeks before, or four weeks or months.
import type { AnswerRow } from '../answer.ts';
import { daysOf, read } from '../periods.ts';
import type { DateRange } from '../ranges.ts';

const DAY = 86_400_000;
/** Maximum number of earlier periods, as far as they were pulled. */
export const most_before = 4;

const stamp = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Splits that distinguish recurring periods of a range, with the period's value of each. */
export function slotOf(period: string): Record<string, string> {
  const { kind, day, hour } = read(period);
  if (kind !== 'day' && kind !== 'hour') return {};
  const weekday = new Date(day).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' }).toLowerCase();
  return kind === 'day' ? { weekday } : { weekday, hour_of_day: String(hour).padStart(2, '0') };
}

/** The days of the preceding `count` periods. */
export function daysBefore(period: string, count: number): DateRange {
  const { from } = daysOf(period, period);
  const { kind } = read(period);
  const to = dateOf(stamp(from) - DAY);
  if (kind !== 'month') return { from: dateOf(stamp(from) - count * 7 * DAY), to };
  const first = new Date(stamp(from));
  first.setUTCMonth(first.getUTCMonth() - count);
  return { from: dateOf(first.getTime()), to };
}

/** The rows before a period by slot, nearest first, as far back as there are numbers; `own` holds those of its own slot. */
export function slotsBefore(period: string, rows: readonly AnswerRow[]): { own: AnswerRow[]; all: AnswerRow[][] } {
  const nameOf = (row: AnswerRow): string => Object.values(slotOf(row.period ?? '')).join(' ');
  const before = rows.filter((row) => (row.period ?? '') < period).toReversed();
  const isKnown = ({ state }: AnswerRow): boolean => state === 'complete' || state === 'settling';
  const bySlot = Map.groupBy(before, nameOf);
  const known = new Map([...bySlot].map(([name, own]) => [name, own.slice(0, firstUnknown(own, isKnown))]));
  return { own: known.get(nameOf({ state: 'complete', period })) ?? [], all: [...known.values()] };
}

function firstUnknown(rows: readonly AnswerRow[], isKnown: (row: AnswerRow) => boolean): number {
  const at = rows.findIndex((row) => !isKnown(row));
  return at < 0 ? rows.length : at;
}
