// The periods that a goal is usually set for, as local days.
import type { DateRange } from '#dashboards/ranges.ts';

export const periods = ['month', 'next-month', 'quarter', 'next-quarter', 'own'] as const;
export type Period = (typeof periods)[number];

const dateOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** `day`: today. */
export function periodIn(period: Exclude<Period, 'own'>, day: string): DateRange {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1];
  const length = period.endsWith('month') ? 1 : 3;
  const first = month - (month % length) + (period.startsWith('next') ? length : 0);
  return { from: dateOf(year, first, 1), to: dateOf(year, first + length, 0) };
}
