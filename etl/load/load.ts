// Makes gathered answers into rows of the warehouse: facts, reports and ledger of a batch, written in one transaction.
import type { Engine } from '#warehouse/engine.ts';
import { Bundle, type ChatsOnTheWay } from './bundle.ts';
import { bundleComparison } from './compare-threads.ts';
import type { Cost, Failure, Gathered } from '../fetched.ts';
import type { Ledger, Noted } from '../ledger/ledger.ts';
import type { PeriodKey, PeriodNews } from '../ledger/period.ts';
import { bundleArchive } from './archive.ts';
import { bundleReport } from './reports.ts';
import { archiveName, daysNamedBy, type ArchiveUnit, type ReportUnit, type Unit } from '../unit.ts';
import type { Tally } from '../tally.ts';

export interface Batch {
  account: string;
  timezone: string;
  pull_id: string;
  /** Unix seconds. */
  now: number;
}

/** What a batch is made with. */
export interface Loading {
  engine: Engine;
  ledger: Ledger;
  batch: Batch;
  tally: Tally;
  bundle: Bundle;
  /** What came before and may not be committed yet. */
  previous: ChatsOnTheWay | undefined;
}

export type News = Omit<Noted, 'rows'>;

/** Decodes, compares and notes what came into a batch; nothing is written before the batch is committed. */
export async function prepare(loading: Loading, gathered: readonly Gathered<Unit>[]): Promise<News> {
  const { ledger, batch, bundle } = loading;
  await ledger.recall(gathered.flatMap(({ unit }) => daysNamedBy(unit).map((day) => periodOf(unit, day, batch))));
  const news: PeriodNews[] = [];
  for (const item of gathered) {
    if (item.unit.kind === 'report') news.push(...bundleReport(loading, item as Gathered<ReportUnit>));
    else if (item.unit.isCompared) news.push(...(await bundleComparison(loading, item as Gathered<ArchiveUnit>)));
    else news.push(...(await bundleArchive(loading, item as Gathered<ArchiveUnit>)));
  }
  const { rows, ...noted } = ledger.note(news, batch.now, batch.pull_id);
  bundle.of('ledger', 'periods').rows.push(...rows);
  return noted;
}

/** Returns the days whose content changed since they were last received, and whether anything is new at all. */
export async function load(
  engine: Engine,
  ledger: Ledger,
  gathered: readonly Gathered<Unit>[],
  batch: Batch,
  tally: Tally,
): Promise<News> {
  const bundle = new Bundle();
  const noted = await prepare({ engine, ledger, batch, tally, bundle, previous: undefined }, gathered);
  await bundle.commit(engine);
  return noted;
}

export const periodOf = (unit: Unit, day: string, { timezone }: Pick<Batch, 'timezone'>): PeriodKey =>
  unit.kind === 'archive'
    ? { timezone, source: archiveName(unit), grain: 'day', split: 'account', split_value: '', day }
    : {
        timezone,
        source: unit.source,
        grain: unit.asked.grain,
        split: unit.asked.split,
        split_value: unit.asked.split_value,
        day,
      };

export const failedPeriods = (
  unit: Unit,
  days: readonly string[],
  { state, message }: Pick<Failure, 'state' | 'message'>,
  batch: Batch,
  cost: Cost,
): PeriodNews[] =>
  days.map((day) => ({ ...periodOf(unit, day, batch), state, hash: '', rows: 0, error: message, cost }));
