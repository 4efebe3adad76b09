// A chat over a period border that one side counts here and the other side next door: two neighbours differ by opposite amounts.
import type { ReconciledCell } from './cell.ts';

/**
 * Takes the cells of one check, split and grain. An `unexplained` count becomes `edge` if the neighbouring cell differs by exactly the
 * opposite in the same number, and a chat of that day crosses the border. `bordered` holds such local days.
 */
export function withEdges(cells: readonly ReconciledCell[], bordered: ReadonlySet<string>): ReconciledCell[] {
  const edges = new Set<ReconciledCell>();
  for (const row of Map.groupBy(cells, (cell) => cell.split_value).values()) {
    const inOrder = [...row].sort((one, other) => (one.period < other.period ? -1 : 1));
    for (const [at, cell] of inOrder.entries()) {
      const next = inOrder[at + 1];
      if (next && areOpposite(cell, next) && bordered.has(cell.period.slice(0, 10))) edges.add(cell).add(next);
    }
  }
  return cells.map((cell) => (edges.has(cell) ? { ...cell, reason: 'edge' } : cell));
}

const areOpposite = (one: ReconciledCell, other: ReconciledCell): boolean =>
  one.reason === 'unexplained' &&
  other.reason === 'unexplained' &&
  one.measure === other.measure &&
  Number.isInteger(one.difference) &&
  one.difference !== null &&
  one.difference === -(other.difference ?? 0);
