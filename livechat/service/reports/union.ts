// The time in which at least one of several intervals was open: never their sum.

/** Half-open, Unix seconds. */
interface Interval {
  from: number;
  to: number;
}

/** Joins intervals where they touch or overlap; they come ordered by their beginning, and empty ones add nothing. */
export function createUnion() {
  const joined: Interval[] = [];
  return {
    joined: joined as readonly Interval[],
    add(from: number, to: number): void {
      if (to <= from) return;
      const last = joined.at(-1);
      if (last && from <= last.to) last.to = Math.max(last.to, to);
      else joined.push({ from, to });
    },
  };
}
