// A set of days stored as runs without gaps, so that years need not have one entry per day.

export interface DayRuns {
  has(day: number): boolean;
  /** Adds the days from `from` to `to`, both included. Days are numbers since 1970-01-01. */
  add(from: number, to: number): void;
  delete(day: number): void;
  /** First and last day of each run, oldest first. */
  runs(): readonly (readonly [number, number])[];
}

export function createDayRuns(): DayRuns {
  /** Sorted; at least one day lies between two runs. */
  const runs: [number, number][] = [];
  /** Place of the first run that ends at or after the day. */
  const placeOf = (day: number): number => {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.[1] ?? Infinity) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    has: (day) => (runs[placeOf(day)]?.[0] ?? Infinity) <= day,
    add(from, to) {
      const first = placeOf(from - 1);
      let after = first;
      for (let run = runs[after]; run && run[0] <= to + 1; run = runs[++after])
        [from, to] = [Math.min(from, run[0]), Math.max(to, run[1])];
      runs.splice(first, after - first, [from, to]);
    },
    delete(day) {
      const place = placeOf(day);
      const run = runs[place];
      if (!run || run[0] > day) return;
      const rest: [number, number][] = [
        [run[0], day - 1],
        [day + 1, run[1]],
      ];
      runs.splice(place, 1, ...rest.filter(([from, to]) => from <= to));
    },
    runs: () => runs,
  };
}
