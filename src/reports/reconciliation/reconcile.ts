// Reconciles an account: every cell of every metric that both the archive and a report give. This file only assembles.
import type { QueryContext } from '#warehouse/context.ts';
import type { Store } from '#warehouse/engine.ts';
import { tableOf } from '#warehouse/tables.ts';
import type { Cell } from './cell.ts';
import { checks } from './checks.ts';
import { excusesOf } from './circumstances.ts';
import { compareCheck } from './compare.ts';
import { rankingCells } from './ranking.ts';
import type { Range } from './sides.ts';

/** `onProgress` hears how many of the comparisons are done. */
export async function reconcile(
  context: QueryContext,
  range: Range,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Cell[]> {
  const excuses = await excusesOf(context, range);
  const jobs = [
    ...checks.flatMap((check) =>
      check.splits.flatMap((split) =>
        check.grains
          // By hour the reports are pulled for the whole account only.
          .filter((grain) => grain === 'day' || split === 'account')
          .map((grain) => () => compareCheck(context, check, split, grain, range, excuses)),
      ),
    ),
    ...(['account', 'group'] as const).map((split) => () => rankingCells(context, split, range, excuses)),
  ];
  const cells: Cell[] = [];
  for (const [at, job] of jobs.entries()) {
    for (const cell of await job()) cells.push(cell);
    onProgress(at + 1, jobs.length);
  }
  return cells;
}

/** Writes cells to ledger.reconciliation, in place of what stood there for the same days. `now` in Unix seconds. */
export async function record(engine: Store, range: Range, cells: readonly Cell[], now: number): Promise<void> {
  const { param } = engine.dialect;
  const table = tableOf('ledger', 'reconciliation');
  await engine.transaction(async () => {
    await engine.exec(
      `delete from ledger.reconciliation
       where account = ${param('account', 'text')}
         and timezone = ${param('timezone', 'text')}
         and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)`,
      { ...range },
    );
    await engine.load(
      table,
      cells.map((cell) => ({ ...cell, day: cell.period.slice(0, 10), checked_at: now })),
    );
  });
}
