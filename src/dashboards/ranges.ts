// Ranges of local dates (YYYY-MM-DD): presets, the days of a panel that has its own, and where the numbers begin.
import type { Span } from './panel.ts';

export const presets = [
  ...(['today', 'yesterday', 'week', 'last-week', '7d', '28d', '30d', '90d'] as const),
  ...(['month', 'last-month'] as const),
] as const;
export type Preset = (typeof presets)[number];

/** Both ends included. */
export interface DateRange {
  from: string;
  to: string;
}

const DAY = 86_400_000;

const stamp = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const text = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** The local date of an instant. */
export function today(now: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return parts.format(now);
}

/** Both ends included. */
export function daysBetween(from: string, to: string): number {
  return Math.round((stamp(to) - stamp(from)) / DAY) + 1;
}

/** Weeks begin on Monday. `day`: today. */
export function presetRange(preset: Preset, day: string): DateRange {
  const back = (days: number) => text(stamp(day) - days * DAY);
  const sinceMonday = (new Date(stamp(day)).getUTCDay() + 6) % 7;
  const monthStart = `${day.slice(0, 8)}01`;
  if (preset === 'today') return { from: day, to: day };
  if (preset === 'yesterday') return { from: back(1), to: back(1) };
  if (preset === 'week') return { from: back(sinceMonday), to: day };
  if (preset === 'last-week') return { from: back(sinceMonday + 7), to: back(sinceMonday + 1) };
  if (preset === '28d') return { from: back(27), to: day };
  if (preset === '7d') return { from: back(6), to: day };
  if (preset === '90d') return { from: back(89), to: day };
  if (preset === 'month') return { from: monthStart, to: day };
  if (preset === '30d') return { from: back(29), to: day };
  const last = text(stamp(monthStart) - DAY);
  return { from: `${last.slice(0, 8)}01`, to: last };
}

/** A total over days that were never pulled is meaningless: dates begin where the numbers do, unless all are earlier. */
export function cut({ from, to }: DateRange, since: string): DateRange & { cutAt: string | null } {
  return from < since && since <= to ? { from: since, to, cutAt: since } : { from, to, cutAt: null };
}

/** The days of a panel that has its own: today and the same weekday before, or the last days up to the end of the range. */
export function spanOf(span: Span | undefined, { from, to, today }: DateRange & { today: string }): DateRange {
  const before = (day: string, days: number) => text(stamp(day) - days * DAY);
  if (span === 'today') return { from: today, to: today };
  if (span === 'week_ago') return { from: before(today, 7), to: before(today, 7) };
  if (span === 'week') return { from: before(to, 6), to };
  return span === 'four_weeks' ? { from: before(to, 27), to } : { from, to };
}
