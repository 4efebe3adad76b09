// Whether two numbers differ by more than chance explains, at 95 %: smaller differences are no reason to act.

export const z = 1.96;
/** A difference that is significant at 90 % but not at 95 % is borderline. */
export const zOfEdge = 1.645;

/** With fewer cases nothing is called clear, nor the highest. */
export const fewest = 10;

/** A share of `n` cases, 0 to 1. */
export interface ShareOf {
  value: number;
  n: number;
}

/** The Wilson score interval; both bounds are 0 to 1. */
function wilson({ value, n }: ShareOf, normal: number): { low: number; high: number } {
  const middle = value + normal ** 2 / (2 * n);
  const reach = normal * Math.sqrt((value * (1 - value) + normal ** 2 / (4 * n)) / n);
  const whole = 1 + normal ** 2 / n;
  return { low: (middle - reach) / whole, high: (middle + reach) / whole };
}

/** Whether the interval of the difference of two Wilson intervals excludes zero (Newcombe 1998, method 10). */
export function sharesDiffer(one: ShareOf, other: ShareOf, normal = z): boolean {
  if (one.n <= 0 || other.n <= 0) return false;
  const [more, less] = one.value >= other.value ? [one, other] : [other, one];
  const [upper, lower] = [wilson(more, normal), wilson(less, normal)];
  const least = Math.hypot(more.value - upper.low, lower.high - less.value);
  return more.value - less.value > least;
}

/** The variance of a sum of days. */
export interface Scatter {
  /** Variance of the sum. */
  variance: number;
  /** Its degrees of freedom. */
  freedom: number;
}

/**
 * The variance of the sum of an account's days, each estimated from the days of its own weekday. `days`: counts of consecutive days, null
 * where unknown. Undefined with less than three weeks.
 */
export function scatterOf(days: readonly (number | null)[]): Scatter | undefined {
  const weekdays = Array.from({ length: 7 }, (_, first) =>
    days.filter((value, at): value is number => at % 7 === first && value !== null),
  );
  if (weekdays.some((values) => values.length < 3)) return undefined;
  const parts = weekdays.map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { variance: (values.length * squares) / (values.length - 1), freedom: values.length - 1 };
  });
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  // Satterthwaite: a few busy weekdays contribute most of the variance, and rest on few observations.
  const spread = parts.reduce((sum, part) => sum + part.variance ** 2 / part.freedom, 0);
  return { variance, freedom: spread === 0 ? days.length - 7 : variance ** 2 / spread };
}

/** Compares two sums over the same number of days; their variance is at least that of independent chats. */
export function countsDiffer(one: number, other: number, { variance, freedom }: Scatter): boolean {
  return Math.abs(one - other) > student(freedom) * Math.sqrt(Math.max(one, variance) + Math.max(other, variance));
}

/** Compares two counts of independent chats, for which the variance of their days is unknown. */
export const independentCountsDiffer = (one: number, other: number): boolean =>
  countsDiffer(one, other, { variance: 0, freedom: Infinity });

/** Fewer pairs do not allow an estimate of their variance. */
const leastPairs = 3;

/**
 * Whether periods differ from the compared ones by more than chance explains (a paired t-test, in which the weekly pattern cancels out).
 * Undefined with too few pairs.
 */
export function pairsDiffer(pairs: readonly (readonly [now: number, before: number])[]): boolean | undefined {
  const count = pairs.length;
  if (count < leastPairs) return undefined;
  const differences = pairs.map(([now, before]) => now - before);
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.abs(mean) > student(count - 1) * Math.sqrt(squares / (count - 1) / count);
}

/**
 * Student's t at 95 %, or at the level of another normal quantile, from two degrees of freedom (Abramowitz and Stegun 26.7.5). The last term
 * is counted twice, for the terms after it: the result may be a little too large, by 0.4 % at most, and is never too small.
 */
export function student(freedom: number, normal = z): number {
  const terms = [
    (normal ** 3 + normal) / 4,
    (5 * normal ** 5 + 16 * normal ** 3 + 3 * normal) / 96,
    (3 * normal ** 7 + 19 * normal ** 5 + 17 * normal ** 3 - 15 * normal) / 384,
    (79 * normal ** 9 + 776 * normal ** 7 + 1482 * normal ** 5 - 1920 * normal ** 3 - 945 * normal) / 92_160,
    (2 *
      (27 * normal ** 11 +
        339 * normal ** 9 +
        930 * normal ** 7 -
        1782 * normal ** 5 -
        765 * normal ** 3 +
        17_955 * normal)) /
      368_640,
  ];
  return terms.reduce((t, term, power) => t + term / freedom ** (power + 1), normal);
}

/** How certain a difference is. */
export type Sureness = 'clear' | 'edge' | 'unclear';

export const surenessOf = (isClear: boolean, isEdge: boolean): Sureness =>
  isClear ? 'clear' : isEdge ? 'edge' : 'unclear';

export const surenessOfShares = (one: ShareOf, other: ShareOf): Sureness =>
  surenessOf(sharesDiffer(one, other), sharesDiffer(one, other, zOfEdge));
