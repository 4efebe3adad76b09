// Assembles the reconciliation of an account: every cell of every metric that both the archive and a report provide.
import { clockAt, dateOf, dayNumber, localDate, partsOfDays } from '#warehouse/periods.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Store } from '#warehouse/engine.ts';
import { whileUnwritten } from '#warehouse/memoize.ts';
import { replaceCompared } from '#warehouse/read/reconciliation.ts';
import type { ReconciledCell } from './cell.ts';
import { checks } from './checks.ts';
import { explanationsOf } from './explanations.ts';
import { compareCheck } from './compare.ts';
import { rankingCells } from './ranking.ts';
import { statesOf, type ReconciledRange } from './sides.ts';

/** Whether the period of a cell has begun: of later ones a report of the source may say zero, and there is nothing to compare. */
function begunAt(timezone: string, now: number): (cell: Pick<ReconciledCell, 'grain' | 'period'>) => boolean {
  const day = localDate(timezone, now);
  const hour = String(Math.floor(clockAt(timezone, now) / 3600)).padStart(2, '0');
  const latest = { day, hour: `${day} ${hour}:00` };
  return ({ grain, period }) => period <= latest[grain];
}

/** Nobody writes the account meanwhile. `onProgress` hears how many of the comparisons are done. */
export const reconcile = (
  context: QueryContext,
  range: ReconciledRange,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ReconciledCell[]> => whileUnwritten(context.snapshot.engine, () => compareAll(context, range, onProgress));

async function compareAll(
  context: QueryContext,
  range: ReconciledRange,
  onProgress: (done: number, total: number) => void,
): Promise<ReconciledCell[]> {
  const states = statesOf(context, range);
  const explanations = await explanationsOf(context, range);
  const jobs = [
    ...checks
      .filter(({ isRanking }) => !isRanking)
      .flatMap((check) =>
        check.splits.flatMap((split) =>
          check.grains
            // By hour the reports are pulled for the whole account only.
            .filter((grain) => grain === 'day' || split === 'account')
            .map((grain) => () => compareCheck(context, check, split, grain, range, explanations, states)),
        ),
      ),
    ...checks
      .filter(({ isRanking }) => isRanking)
      .flatMap((check) =>
        check.splits.map((split) => () => rankingCells(context, check, split, range, explanations, states)),
      ),
  ];
  const hasBegun = begunAt(range.timezone, context.now);
  const cells: ReconciledCell[] = [];
  for (const [at, job] of jobs.entries()) {
    for (const cell of await job()) if (hasBegun(cell)) cells.push(cell);
    onProgress(at + 1, jobs.length);
  }
  return cells;
}

/** What is held meanwhile does not grow with the years that are compared. */
const days_at_once = 31;

/**
 * The same cells as `reconcile`, a month or so at a time: `take` gets those of each part, oldest first, and may write them. Each part is
 * compared with a day more on both sides, because a chat that one side counts on the next day is recognised by both days.
 */
export async function reconcileInParts(
  context: QueryContext,
  range: ReconciledRange,
  take: (cells: ReconciledCell[], part: ReconciledRange) => Promise<void> | void,
  onProgress: (done: number, total: number) => void = () => undefined,
  most_days = days_at_once,
): Promise<void> {
  const parts = partsOfDays(range.from, range.to, most_days);
  for (const [at, { from, to }] of parts.entries()) {
    const wide = {
      ...range,
      from: from === range.from ? from : dateOf(dayNumber(from) - 1),
      to: to === range.to ? to : dateOf(dayNumber(to) + 1),
    };
    const cells = await reconcile(context, wide, (done, total) => onProgress(at * total + done, parts.length * total));
    const isOwn = (day: string): boolean => day >= from && day <= to;
    const own = cells.filter(({ period }) => isOwn(period.slice(0, 10)));
    await take(own, { ...range, from, to });
  }
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
