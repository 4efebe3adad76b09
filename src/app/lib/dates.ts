// Local dates as text (YYYY-MM-DD): today in a zone, presets, and checks of what a reader typed.
import type { Span } from '#dashboards/panel.ts';

export const presets = ['today', 'yesterday', '7d', '30d', '90d', 'month', 'last-month'] as const;
export type Preset = (typeof presets)[number];

const DAY = 86_400_000;

function stamp(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function text(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

/** Whether the text is a day that exists, from the year 2000 on. */
export function isDate(it: string): boolean {
  return /^[2-9]\d{3}-\d{2}-\d{2}$/.test(it) && !Number.isNaN(stamp(it)) && text(stamp(it)) === it;
}

/** In lower case, as there are only so many. Asking the browser costs milliseconds, and every page asks several times. */
const zones = new Map<string, boolean>();

export function isZone(it: string): boolean {
  let is = zones.get(it.toLowerCase());
  if (is === undefined) {
    try {
      is = new Intl.DateTimeFormat('en', { timeZone: it }).format(0) !== '';
    } catch {
      is = false;
    }
    // What an address names is not kept: the server must not remember whatever it is sent.
    if (is) zones.set(it.toLowerCase(), is);
  }
  return is;
}

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

export function presetRange(preset: Preset, day: string): { from: string; to: string } {
  const back = (days: number) => text(stamp(day) - days * DAY);
  const monthStart = `${day.slice(0, 8)}01`;
  if (preset === 'today') return { from: day, to: day };
  if (preset === 'yesterday') return { from: back(1), to: back(1) };
  if (preset === '7d') return { from: back(6), to: day };
  if (preset === '90d') return { from: back(89), to: day };
  if (preset === 'month') return { from: monthStart, to: day };
  if (preset === '30d') return { from: back(29), to: day };
  const last = text(stamp(monthStart) - DAY);
  return { from: `${last.slice(0, 8)}01`, to: last };
}

/** The days of a panel that has its own: today and the same weekday before, or the last days up to the end of the range. */
export function spanOf(
  span: Span | undefined,
  { from, to, today }: { from: string; to: string; today: string },
): { from: string; to: string } {
  const before = (day: string, days: number) => text(stamp(day) - days * DAY);
  if (span === 'today') return { from: today, to: today };
  if (span === 'week_ago') return { from: before(today, 7), to: before(today, 7) };
  if (span === 'week') return { from: before(to, 6), to };
  return span === 'four_weeks' ? { from: before(to, 27), to } : { from, to };
}
