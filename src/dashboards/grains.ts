// Which grain a range is shown by, and which one a metric has.
import type { Grain } from './panel.ts';
import { daysBetween, type DateRange } from './ranges.ts';

/** From fine to coarse. */
export const grains: readonly Grain[] = ['hour', 'day', 'week', 'month'];

const periodsADay: Readonly<Record<Grain, number>> = { hour: 24, day: 1, week: 1 / 7, month: 1 / 30.4, total: 0 };

export const periodsOf = (grain: Grain, days: number): number => Math.max(1, Math.ceil(days * periodsADay[grain]));

/** The default grain for a number of days. */
export function grainOf(days: number): Grain {
  if (days <= 2) return 'hour';
  if (days <= 92) return 'day';
  return days <= 400 ? 'week' : 'month';
}

const coarser = (asked: Grain): readonly Grain[] => grains.slice(Math.max(0, grains.indexOf(asked)));

/** The asked grain, or the next coarser one that the metric has. */
export function grainFor(metric: { grains: readonly string[] } | undefined, asked: Grain): Grain {
  if (!metric || metric.grains.includes(asked)) return asked;
  return coarser(asked).find((grain) => metric.grains.includes(grain)) ?? asked;
}

/** The finest grain, from the requested one on, with at most `most` periods in the range. */
export function grainWithin(most: number, { grain, from, to }: DateRange & { grain: Grain }): Grain {
  const days = daysBetween(from, to);
  return coarser(grain).find((one) => periodsOf(one, days) <= most) ?? 'month';
}

/** Days that a page or a document can show by a grain; more points than pixels would be no picture, and keep others waiting. */
const most: Partial<Record<Grain, number>> = { hour: 800, day: 1500 };

/** The grain, or the next coarser one that can show this many days. */
export const grainShowing = (days: number, asked: Grain): Grain =>
  coarser(asked).find((grain) => days <= (most[grain] ?? Infinity)) ?? 'month';
