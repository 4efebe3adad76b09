// Cells counted by reason and metric, as the command and the API say them.
import type { ReconciledCell, DifferenceReason } from './cell.ts';

export type ByReason = Partial<Record<DifferenceReason, number>>;

export interface Summary {
  cells: number;
  by_reason: ByReason;
  by_metric: Record<string, ByReason>;
  unexplained: ReconciledCell[];
}

export const noCells = (): Summary => ({ cells: 0, by_reason: {}, by_metric: {}, unexplained: [] });

export function addCells(summary: Summary, cells: readonly ReconciledCell[]): void {
  for (const cell of cells) {
    const own = (summary.by_metric[cell.metric] ??= {});
    for (const counts of [own, summary.by_reason]) counts[cell.reason] = (counts[cell.reason] ?? 0) + 1;
    if (cell.reason === 'unexplained') summary.unexplained.push(cell);
  }
  summary.cells += cells.length;
}

export function summaryOf(cells: readonly ReconciledCell[]): Summary {
  const summary = noCells();
  addCells(summary, cells);
  return summary;
}
