// How far an outcome may deviate from its expectation by chance alone: the normal distribution, and sums of events with unequal
// probabilities.

/** Cumulative distribution of the standard normal at `z` (Hart's approximation as in West 2005, accurate to 1e-15). */
export function below(z: number): number {
  const size = Math.abs(z);
  if (size > 37) return z > 0 ? 1 : 0;
  const density = Math.exp((-size * size) / 2);
  let tail: number;
  if (size < 7.07106781186547) {
    const above =
      (((((3.52624965998911e-2 * size + 0.700383064443688) * size + 6.37396220353165) * size + 33.912866078383) * size +
        112.079291497871) *
        size +
        221.213596169931) *
        size +
      220.206867912376;
    const under =
      ((((((8.83883476483184e-2 * size + 1.75566716318264) * size + 16.064177579207) * size + 86.7807322029461) * size +
        296.564248779674) *
        size +
        637.333633378831) *
        size +
        793.826512519948) *
        size +
      440.413735824752;
    tail = (density * above) / under;
  } else {
    const fraction = size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))));
    tail = density / fraction / 2.506628274631;
  }
  return z > 0 ? 1 - tail : tail;
}

/** The number of standard deviations outside which `share` of a normal distribution lies, both tails together. */
export function reachOf(share: number): number {
  let [low, high] = [0, 38];
  for (let round = 0; round < 80; round += 1) {
    const middle = (low + high) / 2;
    if (2 * below(-middle) > share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Outcomes that share one probability. */
export interface Alike {
  count: number;
  /** Log odds. */
  level: number;
}

/** Mean and variance of a sum of outcomes when all of them are shifted by `shift` log odds. */
export function shifted(alike: readonly Alike[], shift: number): { mean: number; variance: number } {
  let [mean, variance] = [0, 0];
  for (const { count, level } of alike) {
    const share = 1 / (1 + Math.exp(-level - shift));
    mean += count * share;
    variance += count * share * (1 - share);
  }
  return { mean, variance };
}

/** The cumulant of such a sum as a function of the shift: what every shift needs of the outcomes is computed once. */
export function cumulantOf(alike: readonly Alike[]): (shift: number) => number {
  const { counts, levels } = columnsOf(alike);
  const unshifted = levels.map(softplus);
  return (shift) => {
    let cumulant = 0;
    for (let at = 0; at < counts.length; at += 1)
      cumulant += (counts[at] ?? 0) * (softplus((levels[at] ?? 0) + shift) - (unshifted[at] ?? 0));
    return cumulant;
  };
}

const columnsOf = (alike: readonly Alike[]): { counts: Float64Array; levels: Float64Array } => ({
  counts: Float64Array.from(alike, ({ count }) => count),
  levels: Float64Array.from(alike, ({ level }) => level),
});

/** log(1 + e^x) without overflow. */
const softplus = (x: number): number => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)));

/** Larger shifts add no information: they correspond to probabilities of one in a million. */
export const farthest = 8;

/** The shift under which `sum` equals the expectation. */
export function shiftTo(alike: readonly Alike[], sum: number): number {
  const { counts, levels } = columnsOf(alike);
  let [low, high] = [-farthest, farthest];
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2;
    let mean = 0;
    for (let at = 0; at < counts.length; at += 1)
      mean += (counts[at] ?? 0) * (1 / (1 + Math.exp(-(levels[at] ?? 0) - middle)));
    if (mean < sum) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** No finite shift explains all or none: the sum is moved half an outcome inwards. */
export const inside = (sum: number, count: number): number => Math.min(Math.max(sum, 0.5), count - 0.5);

/**
 * How many standard deviations a sum of events with unequal probabilities lies from its mean, by the saddlepoint approximation (Lugannani
 * and Rice 1980, in Barndorff-Nielsen's form), which stays accurate in the tails, where few events make the distribution skewed.
 * `likeliest`: the shift to the sum inside, where it is known.
 */
export function distance(alike: readonly Alike[], sum: number, likeliest?: number): number {
  const { mean, variance } = shifted(alike, 0);
  const plain = (sum - mean) / Math.sqrt(variance);
  // Near the mean the formula is unstable.
  if (Math.abs(plain) < 0.2) return plain;
  const own = inside(
    sum,
    alike.reduce((all, it) => all + it.count, 0),
  );
  const shift = likeliest ?? shiftTo(alike, own);
  const { variance: there } = shifted(alike, shift);
  const root = Math.sign(shift) * Math.sqrt(Math.max(0, 2 * (shift * own - cumulantOf(alike)(shift))));
  if (Math.abs(root) < 1e-6) return plain;
  return root + Math.log((shift * Math.sqrt(there)) / root) / root;
}
