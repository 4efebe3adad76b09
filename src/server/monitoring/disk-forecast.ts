// How fast a disk fills, and the day on which it is full: a straight line through what was taken of it each day.
import type { Disk } from '#api/contract/disk.ts';

/** What was taken at the end of a day. */
export interface DiskDay {
  /** UTC, YYYY-MM-DD. */
  day: string;
  free: number;
  size: number;
  kinds: Readonly<Record<string, number>>;
}

type Forecast = Disk['forecast'];

/** The line goes through this many days, so that what is pruned each week or month counts as well. */
const window_days = 30;
/** From fewer days nothing follows: the first pull alone fills more than a month. */
const least_days = 7;
/** What lies farther ahead is not told. */
const farthest_days = 3650;

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;
const dayOf = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);

/** Least squares, per day; null for fewer than two days. */
function slopeOf(points: readonly (readonly [day: number, bytes: number])[]): number | null {
  if (points.length < 2) return null;
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [day, bytes] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [at]) => sum + (at - day) ** 2, 0);
  return spread === 0 ? null : points.reduce((sum, [at, taken]) => sum + (at - day) * (taken - bytes), 0) / spread;
}

/** Those of the last `count` days before and with the newest. */
function lastOf(days: readonly DiskDay[], count: number): DiskDay[] {
  const newest = Math.max(...days.map(({ day }) => numberOf(day)));
  return days.filter(({ day }) => numberOf(day) > newest - count - 1);
}

/** Bytes a day by which a kind grew over the last days; null unless that many are known. */
export function growthOf(days: readonly DiskDay[], kind: string, count: number): number | null {
  const last = lastOf(days, count);
  const numbers = last.map(({ day }) => numberOf(day));
  if (last.length === 0 || Math.max(...numbers) - Math.min(...numbers) < count) return null;
  return slopeOf(last.map(({ day, kinds }) => [numberOf(day), kinds[kind] ?? 0]));
}

/** `days` in any order, each once. What is taken is the whole disk, by other programs too. */
export function forecastOf(days: readonly DiskDay[]): Forecast {
  const last = lastOf(days, window_days);
  const numbers = last.map(({ day }) => numberOf(day));
  const newest = last.find(({ day }) => numberOf(day) === Math.max(...numbers));
  const over_days = newest ? numberOf(newest.day) - Math.min(...numbers) : 0;
  const untold = { growth: null, full_on: null, over_days };
  if (!newest || over_days < least_days) return { state: 'too_early', ...untold };
  const growth = slopeOf(last.map(({ day, size, free }) => [numberOf(day), size - free]));
  if (growth === null) return { state: 'too_early', ...untold };
  const left = newest.free / growth;
  if (growth <= 0 || left > farthest_days) return { state: 'not_growing', growth, full_on: null, over_days };
  return { state: 'growing', growth, full_on: dayOf(numberOf(newest.day) + Math.floor(left)), over_days };
}

/** For `doctor`. */
export function forecastSentence({ state, full_on, over_days }: Forecast): string {
  if (state === 'too_early') return `too early to say when the disk is full: ${over_days} days are known`;
  if (state === 'not_growing') return `the disk is not filling up (last ${over_days} days)`;
  return `at the pace of the last ${over_days} days the disk is full on ${full_on}`;
}
