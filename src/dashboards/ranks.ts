// Ranks that say no more than the numbers do: who cannot be told apart shares one.

/** Where a share truly lies, 19 times in 20. */
export interface RankInterval {
  low: number;
  high: number;
}

/**
 * Orders by the lower end, which few ratings make low, and gives each its rank: a new one begins only where an interval
 * lies wholly below that of the first of the rank before. Ranks count all who are before: 1, 1, 1, 4.
 */
export function ranked<Kind>(all: Kind[], intervalOf: (it: Kind) => RankInterval): { it: Kind; rank: number }[] {
  const ordered = [...all].sort((a, b) => {
    const [one, other] = [intervalOf(a), intervalOf(b)];
    return other.low - one.low || other.high - one.high;
  });
  let rank = 1;
  let first = ordered[0] && intervalOf(ordered[0]);
  return ordered.map((it, index) => {
    const interval = intervalOf(it);
    if (first && interval.high < first.low) {
      rank = index + 1;
      first = interval;
    }
    return { it, rank };
  });
}
