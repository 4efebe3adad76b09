// Ranks that say no more than the numbers do: who cannot be told apart shares one.

/** The 95 % interval of a share. */
export interface RankInterval {
  low: number;
  high: number;
}

/**
 * Sorts by the lower bound, which is low when there are few ratings, and assigns ranks: a new rank begins only where an interval lies
 * entirely below that of the first entry of the previous rank. Ranks count all entries before: 1, 1, 1, 4.
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
