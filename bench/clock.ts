// Medians of repeated runs, and tables of them.

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
};

/** Milliseconds of one run. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of a processor that this process and all its threads take for one run. */
export async function processed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Median milliseconds of each of several ways to do the same, taken in turns so that a busy machine slows all of them
 * alike. Five runs after one that warms up; three when a run takes over a second.
 */
export async function medians(ways: readonly (() => Promise<unknown>)[], timed = elapsed): Promise<number[]> {
  const times: number[][] = ways.map(() => []);
  let longest = 0;
  for (const way of ways) longest = Math.max(longest, await elapsed(way));
  for (let run = 0; run < (longest > 1000 ? 3 : 5); run++) {
    for (const [index, way] of ways.entries()) times[index]?.push(await timed(way));
  }
  return times.map(median);
}

/** `4.31`, `43.1`, `431`. */
export const shown = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** Columns of text, the first to the left, the others to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  console.log(line(head));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
}
