// One pull of one account: plan, fetch, archive, decode, load, publish. This file only assembles.
import PQueue from 'p-queue';
import type { Store } from '#warehouse/engine.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import type { RawArchive } from './raw/archive.ts';
import { isAccountHeld } from './another-account.ts';
import { daysToReadAgain, noteShortfalls } from './plan/count.ts';
import { chunks, dayOf } from './days.ts';
import { Interrupted } from './errors.ts';
import { onlyChanged } from './plan/due.ts';
import { createFetcher } from './fetch/fetch.ts';
import { beginPull, endPull, forgetRequests, type PullBegun } from './ledger/pulls.ts';
import { readLedger, type PullLedger } from './ledger/ledger.ts';
import { namesOf, pullLists } from './lists.ts';
import { noNames } from './decode/names.ts';
import { createNotices, type HeaderNotice } from './fetch/notices.ts';
import type { Retrying } from './fetch/retry-budget.ts';
import { archiveUnit, plan, type Chapter, type Planning, type Splits } from './plan/plan.ts';
import { monthToCheck } from './plan/recheck.ts';
import { hear, pullUnits, type Run } from './run.ts';
import { noRedaction, type Redaction } from './redact/redaction.ts';
import { createPublishing } from './publishing.ts';
import { noRests, type Rests } from './rests.ts';
import type { SourceAccount } from './source.ts';
import { emptyTally, type Tally } from './tally.ts';

export interface PullProgress {
  stage: 'lists' | 'newest' | 'backfill' | 'changes' | 'done';
  /** Units of work finished and planned so far. */
  done: number;
  total: number;
}

/** What a publication needs to know about the pull. */
export interface PullNews {
  /** False: no row but the ledger's is another. */
  has_news: boolean;
  /** As in `PullOutcome`. */
  clock_skew: number | null;
}

export interface PullSetup {
  source: SourceAccount;
  engine: Store;
  archive: RawArchive;
  /** Redaction of texts; none by default. */
  redaction?: Redaction;
  /** Unix seconds. */
  clock: () => number;
  /** Makes a snapshot; without news it may keep the newest one. */
  publish: (news: PullNews) => Promise<void>;
  /** Runs once over the local days that this pull loaded, before the last publication. */
  check?: (days: { from: string; to: string }) => Promise<void>;
  onProgress?: (progress: PullProgress) => void;
  /** Named where the source is asked in another way than before: nothing is loaded of another account. Called when it is the same one. */
  onSameAccount?: () => void;
  /** Local days and report names (or `archive`) to pull; by default everything from `source.since` to today. */
  since?: string;
  until?: string;
  only?: ReadonlySet<string>;
  /** Ends the pull gracefully: loads what has arrived and asks nothing more. */
  signal?: AbortSignal;
  /** Waiting limits for retries; real sources use the default. */
  limits?: Retrying;
  /** When to give way to whoever copies the files; never by default. */
  rests?: Rests;
}

export interface PullOutcome extends Tally {
  pull_id: string;
  units: number;
  /** Questions that failed; the next pull asks them again. */
  failed: number;
  /** Reports that the source does not offer to this account. */
  refused: string[];
  /** Interfaces that announce their end. */
  notices: HeaderNotice[];
  /** Seconds by which the source's clock is ahead of this machine's; null when it did not say. */
  clock_skew: number | null;
}

/**
 * Pulls what is due: the account lists, the newest two weeks, published at once, then back to the first day; what takes long is also
 * published meanwhile. @throws Unauthorized,
 * Unreachable, AnotherAccount, Interrupted; whatever was loaded stays, and the next pull continues from there.
 */
export async function pull(setup: PullSetup): Promise<PullOutcome> {
  const { engine, clock, signal } = setup;
  if (signal?.aborted) throw new Interrupted();
  const started = clock();
  const run = await begin(setup, started);
  const { account, pull_id } = run;
  const { fetcher } = run.gathering;
  signal?.addEventListener('abort', () => void fetcher.close());
  let units = 0;
  let error: string | null = null;
  try {
    setup.onProgress?.({ stage: 'lists', done: 0, total: 0 });
    if (setup.onSameAccount && (await isAccountHeld(run, setup.source))) setup.onSameAccount();
    const splits = await pullLists(run);
    run.gathering.names = await namesOf(engine, account);
    const planning = await planningOf(setup, run.ledger, splits, started);
    units += await pullChapters(setup, run, plan(planning));
    units += await pullChapters(setup, run, await changesOf(setup, run, planning), 'changes');
    await noteShortfalls(engine, { ...run, now: clock() });
    for (const days of chunks([...run.touched], Infinity)) {
      await run.rests.here();
      await setup.check?.(days);
    }
    setup.onProgress?.({ stage: 'done', done: units, total: units });
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause);
    throw cause;
  } finally {
    await fetcher.close();
    await end(run, { started, settling_days: setup.source.settling_days }, error);
    if (run.has_news || error === null) await setup.publish(newsOf(run));
  }
  const refused = [...run.refused.keys()].sort();
  return {
    pull_id,
    ...run.tally,
    units,
    failed: run.failed,
    refused,
    notices: run.notices.heard(),
    clock_skew: fetcher.skew(),
  };
}

const newsOf = ({ has_news, gathering }: Run): PullNews => ({ has_news, clock_skew: gathering.fetcher.skew() });

async function begin(setup: PullSetup, started: number): Promise<Run> {
  const { source, engine, archive, redaction, clock, limits, rests } = setup;
  const { id: account, timezone, settling_days } = source;
  const pull_id = `${new Date(started * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}-${process.pid}`;
  const held = await archive.held(account);
  const run: Run = {
    ...{ account, timezone, pull_id, engine, archive, clock, tally: emptyTally(), heard: [], notices: createNotices() },
    ...{ redaction: redaction ?? noRedaction, rests: rests ?? noRests },
    ledger: await readLedger(engine, { account, timezone, now: started, held, settling_days }),
    gathering: {
      ...{ fetcher: createFetcher(source, clock, limits), names: noNames(), long: new PQueue({ concurrency: 1 }) },
      hear: (unit, attempt) => hear(run, unit, attempt),
    },
    ...{ changed: new Set(), touched: new Set(), refused: new Map(), failed: 0 },
    has_news: await beginPull(engine, { account, pull_id, started, settling_days }),
    publishing: createPublishing(async () => {
      await setup.publish(newsOf(run));
      run.has_news = false;
    }, clock),
  };
  return run;
}

/** Every attempt gets a row, including those running when the pull was aborted. */
async function end(
  { engine, account, pull_id, clock, heard, notices, tally }: Run,
  { started, settling_days }: Pick<PullBegun, 'started' | 'settling_days'>,
  error: string | null,
) {
  await engine.load(tableOf('ledger', 'requests'), heard.splice(0));
  await forgetRequests(engine, account, clock());
  await notices.keep(engine, account);
  await endPull(engine, { account, pull_id, started, settling_days }, clock(), tally, error);
}

/** Everything for days whose reports changed, and days for which the archive returned too few chats. */
async function changesOf({ clock }: PullSetup, run: Run, planning: Planning): Promise<Chapter[]> {
  const known = onlyChanged(planning.known, run.changed, planning.now);
  const chapters = plan({ ...planning, known, recheck: undefined });
  const again = await daysToReadAgain(run.engine, { ...run, now: clock() });
  const [from, to] = [again[0], again.at(-1)];
  if (from === undefined || to === undefined) return chapters;
  return [...chapters, { from, to, units: again.map((day) => archiveUnit(planning, day)) }];
}

type PullScope = Pick<PullSetup, 'source' | 'engine' | 'since' | 'until' | 'only'>;

/** `now` in Unix seconds. A month is checked again only by a pull of everything. */
export async function planningOf(
  { source, engine, since, until, only }: PullScope,
  ledger: PullLedger,
  splits: Splits,
  now: number,
): Promise<Planning> {
  const { id: account, timezone, settling_days } = source;
  const today = dayOf(now, timezone);
  const isWhole = since === undefined && until === undefined && only === undefined;
  return {
    ...{ account, timezone, now, settling_days, splits, known: ledger.known },
    ...(source.archive_source ? { archive_source: source.archive_source } : {}),
    since: since ?? source.since,
    until: until && until < today ? until : today,
    isRefused: (name) => !only?.has(name) && ledger.refused(name) !== undefined,
    recheck: isWhole ? await monthToCheck(engine, account, source.since, { timezone, now, settling_days }) : undefined,
    ...(only ? { only } : {}),
  };
}

/** A fast source answers a thousand units in a second, and nobody reads that often. */
const report_every_ms = 250;

/** Publishes after each chapter, so that pages fill during the backfill. The caller publishes at the end. */
async function pullChapters(
  setup: PullSetup,
  run: Run,
  chapters: readonly Chapter[],
  stage?: PullProgress['stage'],
): Promise<number> {
  const total = chapters.reduce((sum, chapter) => sum + chapter.units.length, 0);
  let done = 0;
  for (const [index, chapter] of chapters.entries()) {
    let reported = -Infinity;
    const report = (): void => {
      reported = performance.now();
      setup.onProgress?.({ stage: stage ?? (index === 0 ? 'newest' : 'backfill'), done, total });
    };
    report();
    await pullUnits(run, chapter.units, () => {
      done += 1;
      if (performance.now() - reported >= report_every_ms) report();
    });
    report();
    if (index < chapters.length - 1) await run.publishing.publish();
  }
  return total;
}
