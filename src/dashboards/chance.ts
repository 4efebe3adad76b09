// Whether two numbers differ by more than chance would have it, at 95 %: what does not is no change that anybody should act on.

export const z = 1.96;
/** What would be clear at 90 %, and is not at 95 %, is at the edge of chance. */
export const zOfEdge = 1.645;

/** Of fewer nothing is said to be clear, nor the highest. */
export const fewest = 10;

/** A share of `n` that were counted, 0 to 1. */
export interface ShareOf {
  value: number;
  n: number;
}

/** The Wilson score interval, both 0 to 1. */
function wilson({ value, n }: ShareOf, normal: number): { low: number; high: number } {
  const middle = value + normal ** 2 / (2 * n);
  const reach = normal * Math.sqrt((value * (1 - value) + normal ** 2 / (4 * n)) / n);
  const whole = 1 + normal ** 2 / n;
  return { low: (middle - reach) / whole, high: (middle + reach) / whole };
}

/** The interval of the difference of two Wilson intervals does not hold zero (Newcombe 1998, method 10). */
export function sharesDiffer(one: ShareOf, other: ShareOf, normal = z): boolean {
  if (one.n <= 0 || other.n <= 0) return false;
  const [more, less] = one.value >= other.value ? [one, other] : [other, one];
  const [upper, lower] = [wilson(more, normal), wilson(less, normal)];
  const least = Math.hypot(more.value - upper.low, lower.high - less.value);
  return more.value - less.value > least;
}

/** How a sum of days scatters. */
export interface Scatter {
  /** Of the sum. */
  variance: number;
  /** Degrees of freedom behind it. */
  freedom: number;
}

/**
 * How the sum of an account's days scatters: each day as those of its weekday do among themselves. `days`: counts of consecutive
 * days, null where none is known. Undefined with less than three weeks.
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
  // Satterthwaite: a few busy weekdays make most of the variance, and few of them say little about it.
  const spread = parts.reduce((sum, part) => sum + part.variance ** 2 / part.freedom, 0);
  return { variance, freedom: spread === 0 ? days.length - 7 : variance ** 2 / spread };
}

/** Two sums over as many days; each scatters at least as counts of independent chats do. */
export function countsDiffer(one: number, other: number, { variance, freedom }: Scatter): boolean {
  return Math.abs(one - other) > student(freedom) * Math.sqrt(Math.max(one, variance) + Math.max(other, variance));
}

/** Two counts of chats that come independently of each other: how their days scatter is not known. */
export const independentCountsDiffer = (one: number, other: number): boolean =>
  countsDiffer(one, other, { variance: 0, freedom: Infinity });

/** Fewer say nothing of how much they differ among themselves. */
const leastPairs = 3;

/**
 * Whether periods differ from those that they are compared with by more than they do among themselves (a paired t-test: a week of
 * their own cancels out). Undefined with too few pairs.
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
 * Student's t at 95 %, or at what another quantile of the normal distribution stands for; to a hundredth from four degrees of freedom on
 * (Abramowitz and Stegun 26.7.5).
 */
export function student(freedom: number, normal = z): number {
  const terms = [
    (normal ** 3 + normal) / 4,
    (5 * normal ** 5 + 16 * normal ** 3 + 3 * normal) / 96,
    (3 * normal ** 7 + 19 * normal ** 5 + 17 * normal ** 3 - 15 * normal) / 384,
  ];
  return terms.reduce((t, term, power) => t + term / freedom ** (power + 1), normal);
}

/** How sure a difference is. */
export type Sureness = 'clear' | 'edge' | 'unclear';

export const surenessOf = (isClear: boolean, isEdge: boolean): Sureness =>
  isClear ? 'clear' : isEdge ? 'edge' : 'unclear';

export const surenessOfShares = (one: ShareOf, other: ShareOf): Sureness =>
  surenessOf(sharesDiffer(one, other), sharesDiffer(one, other, zOfEdge));
