// Maximum number of concurrent chats in each hour, over the last four occurrences of a weekday.
import { weekdays } from '#contract/reports.ts';
import type { Row } from '#warehouse/engine.ts';
import { dateOf, dayNumber } from '#warehouse/periods.ts';
import { hours } from './periods.ts';
import { whole } from './rounding.ts';

/** The last four dates of a weekday up to `today`, in order of time. */
export function lastFour(weekday: (typeof weekdays)[number], today: string): string[] {
  const day = dayNumber(today);
  // Day 0, 1970-01-01, was a Thursday; in `weekdays` Monday comes first.
  const past = (((day + 3) % 7) - weekdays.indexOf(weekday) + 7) % 7;
  return [21, 14, 7, 0].map((before) => dateOf(day - past - before));
}

/** The 96 hours of four days, from rows by hour; an hour without a row is 0. */
export function occupancyOf(days: readonly string[], rows: readonly Row[]): Record<string, number> {
  const most = new Map(rows.map((row) => [row.period, whole(row.most)]));
  const labels = days.flatMap((day) => hours.map((hour) => `${day} ${hour}`));
  return Object.fromEntries(labels.map((label) => [label, most.get(label) ?? 0]));
}
