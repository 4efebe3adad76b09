// Long computations yield every few milliseconds, so that other requests are answered, and end when nobody waits.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertWanted } from './cancellation.ts';

const longest_ms = 12;

/** Asked again and again within a loop: `if (turn.isOver()) await turn.next()`. */
export class TimeSlice {
  #began = performance.now();

  isOver(): boolean {
    return performance.now() - this.#began > longest_ms;
  }

  /** Errors: Cancelled, if the caller has disconnected. */
  async next(): Promise<void> {
    await nextTurn();
    assertWanted();
    this.#began = performance.now();
  }
}

const at_once = 4000;

/** The same as `toSorted`, stable too; of many rows a part at a time. Errors: Cancelled. */
export async function sortedInSlices<T>(rows: readonly T[], compare: (one: T, other: T) => number): Promise<T[]> {
  if (rows.length <= at_once) return rows.toSorted(compare);
  const turn = new TimeSlice();
  let runs: T[][] = [];
  for (let from = 0; from < rows.length; from += at_once) {
    runs.push(rows.slice(from, from + at_once).sort(compare));
    if (turn.isOver()) await turn.next();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, turn));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(one: T[], other: T[], compare: (one: T, other: T) => number, turn: TimeSlice): Promise<T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const isLeft = compare(one[left] as T, other[right] as T) <= 0;
    merged.push((isLeft ? one[left++] : other[right++]) as T);
    if (merged.length % 1024 === 0 && turn.isOver()) await turn.next();
  }
  return merged.concat(left < one.length ? one.slice(left) : other.slice(right));
}
