// Assembles the reconciliation of an account: every cell of every metric that both the archive and a report provide.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Store } from '#warehouse/engine.ts';
import { replaceCompared } from '#warehouse/read/reconciliation.ts';
import type { ReconciledCell } from './cell.ts';
import { checks } from './checks.ts';
import { explanationsOf } from './explanations.ts';
import { compareCheck } from './compare.ts';
import { rankingCells } from './ranking.ts';
import type { ReconciledRange } from './sides.ts';

/** `onProgress` hears how many of the comparisons are done. */
export async function reconcile(
  context: QueryContext,
  range: ReconciledRange,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ReconciledCell[]> {
  const explanations = await explanationsOf(context, range);
  const jobs = [
    ...checks
      .filter(({ isRanking }) => !isRanking)
      .flatMap((check) =>
        check.splits.flatMap((split) =>
          check.grains
            // By hour the reports are pulled for the whole account only.
            .filter((grain) => grain === 'day' || split === 'account')
            .map((grain) => () => compareCheck(context, check, split, grain, range, explanations)),
        ),
      ),
    ...checks
      .filter(({ isRanking }) => isRanking)
      .flatMap((check) => check.splits.map((split) => () => rankingCells(context, check, split, range, explanations))),
  ];
  const cells: ReconciledCell[] = [];
  for (const [at, job] of jobs.entries()) {
    for (const cell of await job()) cells.push(cell);
    onProgress(at + 1, jobs.length);
  }
  return cells;
}

/** Replaces the cells of the same days in ledger.reconciliation. `now` in Unix seconds. */
export const record = (
  engine: Store,
  range: ReconciledRange,
  cells: readonly ReconciledCell[],
  now: number,
): Promise<void> =>
  replaceCompared(
    engine,
    range,
    cells.map((cell) => ({ ...cell, day: cell.period.slice(0, 10), checked_at: now })),
  );
