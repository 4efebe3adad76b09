// The time in which at least one of several intervals was open: never their sum.

/** Half-open, Unix seconds. */
interface Interval {
  from: number;
  to: number;
}

/** The intervals, ordered by `from`, joined where they touch or overlap; empty ones add nothing. */
export function union(intervals: Iterable<Interval>): Interval[] {
  const joined: Interval[] = [];
  for (const { from, to } of intervals) {
    if (to <= from) continue;
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
