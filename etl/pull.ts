// One pull of one account: plan, fetch, archive, decode, load, publish. This file only assembles.
import type { Engine } from '#warehouse/engine.ts';
import type { RawArchive } from './archive.ts';
import { dayOf } from './days.ts';
import { onlyChanged } from './due.ts';
import { createFetcher } from './fetch.ts';
import { beginPull, emptyTally, endPull, readLedger, type Tally } from './ledger.ts';
import { pullLists } from './lists.ts';
import { plan, type Chapter, type Planning, type Splits } from './plan.ts';
import { pullUnits, type Run } from './run.ts';
import type { Source } from './source.ts';

export interface Progress {
  stage: 'lists' | 'newest' | 'backfill' | 'changes' | 'done';
  /** Units of work finished and planned so far. */
  done: number;
  total: number;
  /** Everything from this local day on is in the published snapshot; null before the first publication. */
  pulled_since: string | null;
}

export interface PullSetup {
  source: Source;
  engine: Engine;
  archive: RawArchive;
  /** Unix seconds. */
  clock: () => number;
  /** Makes a snapshot; without news (no row but the ledger's is another) it may leave the newest as it is. */
  publish: (has_news: boolean) => Promise<void>;
  /** Runs once over the local days that this pull loaded, before the last publication. */
  check?: (days: { from: string; to: string }) => Promise<void>;
  onProgress?: (progress: Progress) => void;
  /** Local days and report names (or `archive`) to pull; by default everything from `source.since` to today. */
  since?: string;
  until?: string;
  only?: ReadonlySet<string>;
}

export interface Outcome extends Tally {
  pull_id: string;
  units: number;
  failed: number;
}

/**
 * Pulls what is due: the account lists, the newest two weeks, published at once, then back to the first day.
 * @throws Unauthorized, Unreachable; what was loaded until then stays, and the next pull goes on from there.
 */
export async function pull(setup: PullSetup): Promise<Outcome> {
  const { source, engine, clock } = setup;
  const started = clock();
  const pull_id = `${new Date(started * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}-${process.pid}`;
  const fetcher = createFetcher(source, clock);
  const ledger = await readLedger(engine, source.id);
  const { id: account, timezone } = source;
  const run: Run = {
    ...{ account, timezone, pull_id, engine, archive: setup.archive, fetcher, ledger, clock },
    ...{ tally: emptyTally(), changed: new Set<string>(), touched: new Set<string>(), failed: 0, has_news: false },
  };
  run.has_news = await beginPull(engine, account, pull_id, started);
  let units = 0;
  let error: string | null = null;
  try {
    setup.onProgress?.({ stage: 'lists', done: 0, total: 0, pulled_since: null });
    const planning = planningOf(setup, run, await pullLists(run), started);
    units += await pullChapters(setup, run, plan(planning));
    const known = onlyChanged(planning.known, run.changed, started);
    units += await pullChapters(setup, run, plan({ ...planning, known }), 'changes');
    const touched = [...run.touched].sort();
    const [from, to] = [touched[0], touched.at(-1)];
    if (from !== undefined && to !== undefined) await setup.check?.({ from, to });
    setup.onProgress?.({ stage: 'done', done: units, total: units, pulled_since: null });
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause);
    throw cause;
  } finally {
    await endPull(engine, account, pull_id, { started, ended: clock() }, run.tally, error);
    if (run.has_news || error === null) await setup.publish(run.has_news);
    await fetcher.close();
  }
  return { pull_id, ...run.tally, units, failed: run.failed };
}

export const planningOf = (
  { source, since, until, only }: Pick<PullSetup, 'source' | 'since' | 'until' | 'only'>,
  { ledger }: Pick<Run, 'ledger'>,
  splits: Splits,
  now: number,
): Planning => {
  const { id: account, timezone } = source;
  const today = dayOf(now, timezone);
  return {
    ...{ account, timezone, now, splits, known: ledger.known(timezone) },
    since: since ?? source.since,
    until: until && until < today ? until : today,
    ...(only ? { only } : {}),
  };
};

/** A snapshot after each chapter: pages fill while the backfill goes on. The last one is published by the caller. */
async function pullChapters(
  setup: PullSetup,
  run: Run,
  chapters: readonly Chapter[],
  stage?: Progress['stage'],
): Promise<number> {
  const total = chapters.reduce((sum, chapter) => sum + chapter.units.length, 0);
  let done = 0;
  let pulled_since: string | null = null;
  for (const [index, chapter] of chapters.entries()) {
    const report = (): void =>
      setup.onProgress?.({ stage: stage ?? (index === 0 ? 'newest' : 'backfill'), done, total, pulled_since });
    report();
    await pullUnits(run, chapter.units, (count) => {
      done += count;
      report();
    });
    if (index < chapters.length - 1) {
      await setup.publish(run.has_news);
      run.has_news = false;
      pulled_since = chapter.from;
    }
  }
  return total;
}
