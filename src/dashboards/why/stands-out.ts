// Whether a period stands out from those of its slot, such as a Tuesday from other Tuesdays, given how all slots vary around their means.
import { student, surenessOf, z, zOfEdge, type Sureness } from '../chance.ts';

/**
 * Kinds of variation: counts like independent chats, with additional busy and quiet days; sums of money by square roots; times by
 * logarithms; shares with an unknown denominator by arcsines.
 */
export type Scattering = 'count' | 'money' | 'time' | 'share';

/** A distance that is nothing but chance, as a variance, and the degrees of freedom behind it. */
interface Expected {
  distance: number;
  variance: number;
  freedom: number;
}

/** Fewer degrees of freedom say nothing of how much periods scatter. */
const leastFreedom = 3;

/**
 * Compares with the mean of its own slot, using the prediction interval of one more period. Undefined with too few periods, and for
 * values that can be negative.
 */
export function surenessOfPeriod(
  now: number,
  own: readonly number[],
  slots: readonly (readonly number[])[],
  kind: Scattering,
): Sureness | undefined {
  const known = slots.filter((values) => values.length > 1);
  const freedom = known.reduce((sum, values) => sum + values.length - 1, 0);
  if (freedom < leastFreedom || own.length === 0 || [now, ...slots.flat()].some((value) => value < 0)) return undefined;
  const found = kind === 'count' ? ofCounts(now, own, known) : ofOthers(now, own, known, evened[kind]);
  const isBeyond = (normal: number) =>
    Math.abs(found.distance) > student(found.freedom, normal) * Math.sqrt(found.variance);
  return surenessOf(isBeyond(z), isBeyond(zOfEdge));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;
const squaresOf = (values: readonly number[]): number => {
  const mean = meanOf(values);
  return sumOf(values.map((value) => (value - mean) ** 2));
};

/** A count of independent chats has a variance equal to its mean; busy and quiet days add a term in the square of the mean. */
function ofCounts(now: number, own: readonly number[], known: readonly (readonly number[])[]): Expected {
  const parts = known.map((values) => ({ squares: squaresOf(values), free: values.length - 1, mean: meanOf(values) }));
  const weight = sumOf(parts.map(({ free, mean }) => free * mean ** 2));
  const beyond = sumOf(parts.map(({ squares, free, mean }) => squares - free * mean));
  const swing = weight > 0 ? Math.max(0, beyond / weight) : 0;
  // Satterthwaite: busy slots say most of how days swing.
  const spread = sumOf(parts.map(({ free, mean }) => free * mean ** 4));
  const mean = meanOf([...own, now]);
  const variance = (mean + swing * meanOf(own) ** 2) * (1 + 1 / own.length);
  return { distance: now - meanOf(own), variance, freedom: spread > 0 ? weight ** 2 / spread : 1 };
}

const evened: Record<Exclude<Scattering, 'count'>, (value: number) => number> = {
  money: Math.sqrt,
  time: Math.log1p,
  share: (value) => Math.asin(Math.sqrt(Math.min(1, value))),
};

function ofOthers(
  now: number,
  own: readonly number[],
  known: readonly (readonly number[])[],
  even: (value: number) => number,
): Expected {
  const freedom = sumOf(known.map((values) => values.length - 1));
  const variance = sumOf(known.map((values) => squaresOf(values.map(even)))) / freedom;
  return { distance: even(now) - meanOf(own.map(even)), variance: variance * (1 + 1 / own.length), freedom };
}
