// Makes gathered answers into rows of the warehouse: facts, reports and ledger of a batch, written in one transaction.
import type { Store } from '#warehouse/engine.ts';
import { nobodyErased } from '../erased/erased.ts';
import type { Gathered } from '../fetched.ts';
import type { PullLedger } from '../ledger/ledger.ts';
import type { PeriodNews } from '../ledger/period.ts';
import { noRedaction } from '../redact/redaction.ts';
import type { Tally } from '../tally.ts';
import { daysNamedBy, type ArchiveUnit, type ReportUnit, type PullUnit } from '../unit.ts';
import { bundleArchive } from './archive.ts';
import { periodOf, type Batch, type Loading, type News } from './batch.ts';
import { Bundle } from './bundle.ts';
import { bundleComparison } from './compare-threads.ts';
import { bundleReport } from './reports.ts';

/** Decodes, compares and records the answers in a batch; nothing is written before the batch is committed. */
export async function prepare(loading: Loading, gathered: readonly Gathered<PullUnit>[]): Promise<News> {
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
  engine: Store,
  ledger: PullLedger,
  gathered: readonly Gathered<PullUnit>[],
  batch: Batch,
  tally: Tally,
): Promise<News> {
  const bundle = new Bundle();
  const noted = await prepare(
    { engine, ledger, batch, erased: nobodyErased, redaction: noRedaction, tally, bundle, previous: undefined },
    gathered,
  );
  await bundle.commit(engine);
  return noted;
}
