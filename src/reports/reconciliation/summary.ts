// Cells counted by reason and metric, as the command and the API say them.
import { reasons, type ReconciledCell, type DifferenceReason } from './cell.ts';

export type ByReason = Partial<Record<DifferenceReason, number>>;

export interface Summary {
  cells: number;
  by_reason: ByReason;
  by_metric: Record<string, ByReason>;
  unexplained: ReconciledCell[];
}

export function summaryOf(cells: readonly ReconciledCell[]): Summary {
  const by_metric: Record<string, ByReason> = {};
  for (const [metric, own] of Map.groupBy(cells, (cell) => cell.metric)) by_metric[metric] = count(own);
  return {
    cells: cells.length,
    by_reason: count(cells),
    by_metric,
    unexplained: cells.filter((cell) => cell.reason === 'unexplained'),
  };
}

function count(cells: readonly ReconciledCell[]): ByReason {
  const counts: ByReason = {};
  for (const reason of reasons) {
    const found = cells.filter((cell) => cell.reason === reason).length;
    if (found > 0) counts[reason] = found;
  }
  return counts;
}
