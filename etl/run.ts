// Processes the units of a pull: fetches ahead, stores raw answers, decodes, and writes one batch while preparing the next.
import { pageSize } from '#contract/archive.ts';
import type { Store } from '#warehouse/engine.ts';
import type { RawArchive } from './raw/archive.ts';
import type { Redaction } from './redact/redaction.ts';
import type { FlatRow } from './decode/chats.ts';
import { at_once } from './fetch/connections.ts';
import { Interrupted } from './errors.ts';
import type { Failure, Gathered, ReceivedResponse } from './fetched.ts';
import { gather, type Gathering } from './fetch/gather.ts';
import { createBoundedQueue, type BoundedQueue } from './bounded-queue.ts';
import type { PullLedger } from './ledger/ledger.ts';
import type { Notices } from './fetch/notices.ts';
import type { Loading, News } from './load/batch.ts';
import { prepare } from './load/load.ts';
import { createWriting, type Writing } from './load/writing.ts';
import type { Publishing } from './publishing.ts';
import type { Rests } from './rests.ts';
import type { Tally } from './tally.ts';
import { sourceName, type ListUnit, type PullUnit } from './unit.ts';

/** What lasts as long as one pull. */
export interface Run {
  account: string;
  timezone: string;
  pull_id: string;
  engine: Store;
  archive: RawArchive;
  /** Redaction of texts. */
  redaction: Redaction;
  gathering: Gathering;
  ledger: PullLedger;
  /** Unix seconds. */
  clock: () => number;
  tally: Tally;
  /** Rows of ledger.requests that are not written yet: every attempt, also of a unit that never ended. */
  heard: FlatRow[];
  notices: Notices;
  /** Local days whose reports changed since they were last received. */
  changed: Set<string>;
  /** Questions that failed. */
  failed: number;
  /** Reports refused for the account as a whole: they are not asked again. */
  refused: Map<string, Failure>;
  /** Local days that were loaded, and settled days that turned out to be different. */
  touched: Set<string>;
  /** A row outside the ledger became another since the last publication. */
  has_news: boolean;
  publishing: Publishing;
  rests: Rests;
}

/** Characters of answers that are decoded at once, and held at most between fetching and decoding. */
const slice = 2 * 1024 * 1024;
const held = 3 * slice;
/** A transaction pays off from this many chats or characters; decoded records take little room. */
export const batch_size = 1500;
const batch_characters = 10 * 1024 * 1024;
/** A small answer costs more than its size. */
const least_size = 16 * 1024;

const sizeOf = ({ answers }: Gathered): number => answers.reduce((sum, { body }) => sum + body.length, 0) + least_size;

/**
 * Calls `onDone` for each finished unit: writing follows closely, in batches of very different sizes. @throws Unauthorized, Unreachable;
 * everything received before is loaded.
 */
export async function pullUnits(run: Run, units: readonly PullUnit[], onDone: () => void): Promise<void> {
  const queue = createBoundedQueue<Gathered<PullUnit>>(sizeOf, slice, held);
  const fetching = fetchAll(run, units, queue, onDone);
  try {
    await loadAll(
      run,
      queue,
      units.find(({ kind }) => kind === 'archive'),
    );
  } catch (error) {
    queue.fail(error);
    await run.gathering.fetcher.close();
    throw error;
  } finally {
    await fetching;
  }
}

/** Never rejects: what goes wrong goes through the queue. */
async function fetchAll(
  run: Run,
  units: readonly PullUnit[],
  queue: BoundedQueue<Gathered<PullUnit>>,
  onDone: () => void,
): Promise<void> {
  let next = 0;
  const hand = (gathered: Gathered<PullUnit>): Promise<void> => {
    const { unit, failure } = gathered;
    if (isRefused(failure) && unit.kind === 'report' && unit.asked.split === 'account')
      run.refused.set(unit.report, failure);
    return queue.put(gathered);
  };
  const work = (unit: PullUnit): Promise<void> => {
    const failure = unit.kind === 'report' ? run.refused.get(unit.report) : undefined;
    return failure ? hand({ unit, answers: [], bodies: [], failure }) : gather(unit, run.gathering, hand);
  };
  const lane = async (): Promise<void> => {
    for (let unit = units[next++]; unit && !queue.has_failed(); unit = units[next++]) {
      await work(unit).catch(queue.fail);
      if (run.gathering.fetcher.has_ended() && !queue.has_failed()) queue.fail(new Interrupted());
      onDone();
    }
  };
  await Promise.all(Array.from({ length: at_once }, lane));
  queue.end();
}

/** Days are published beside `newest` only: without it none of the totals up to it would be known. */
async function loadAll(run: Run, queue: BoundedQueue<Gathered<PullUnit>>, newest: PullUnit | undefined): Promise<void> {
  const writing = createWriting(run.engine);
  let failure: { error: unknown } | undefined;
  let has_newest = false;
  const undisturbed = run.rests.onWanted(queue.wake);
  const take = (): Promise<Gathered<PullUnit>[] | undefined> => {
    // When answers arrive slowly, the loaded ones are committed without waiting for more.
    if (!queue.isReady()) writing.commitMeanwhile();
    return queue.take().catch((error: unknown) => void (failure = { error }));
  };
  try {
    let batch = newBatch(run, writing);
    const begin = async (): Promise<void> => {
      await write(run, writing, batch);
      batch = newBatch(run, writing);
    };
    for (let gathered = await take(); gathered; gathered = await take()) {
      if (run.rests.isWanted()) {
        await begin();
        await writing.settle();
        await run.rests.here();
      }
      // Comparisons need committed facts.
      if (gathered.some(({ unit }) => unit.kind === 'archive' && unit.isCompared))
        await begin().then(() => writing.settle());
      note(run, gathered, await prepare(batch.loading, gathered));
      batch.characters += gathered.reduce((sum, item) => sum + sizeOf(item), 0);
      // The raw archive needs only the answers; everything derived from them is already decoded.
      batch.gathered.push(...gathered.map((item) => ({ ...item, bodies: [], pages: [] })));
      if (batch.loading.bundle.size >= batch_size || batch.characters >= batch_characters) await begin();
      has_newest ||= gathered.some(({ unit, isPart }) => unit === newest && !isPart);
      if (has_newest && run.publishing.isDue()) {
        await begin();
        await writing.settle();
        await run.publishing.publish();
      } else if (writing.isLong()) writing.commitMeanwhile();
    }
    // Also after a fatal error: the answers received were asked for and count.
    await begin();
    await writing.settle();
  } finally {
    undisturbed();
    await writing.end();
  }
  if (failure) throw failure.error;
}

/** What is written together: one or many batches per transaction. */
interface Loaded {
  loading: Loading;
  gathered: Gathered<PullUnit>[];
  characters: number;
}

const newBatch = (run: Run, { bundle, on_the_way: previous }: Writing): Loaded => ({
  loading: {
    ...{ ...run, batch: { ...run, now: run.clock() }, bundle, previous },
    erased: run.archive.erased,
  },
  ...{ gathered: [], characters: 0 },
});

/** Raw answers are written first, because the warehouse can be recreated from them. */
async function write(run: Run, writing: Writing, { loading: { bundle, batch }, gathered }: Loaded): Promise<void> {
  bundle.of('ledger', 'requests').rows.push(...run.heard.splice(0));
  if (gathered.length === 0 && bundle.isEmpty) return;
  writing.pages = bundle.size / pageSize;
  await writing.begin(() => run.archive.keep(run, gathered, batch.now));
}

function note(run: Run, gathered: readonly Gathered<PullUnit>[], news: News): void {
  for (const { grain, split, source, day } of news.changed)
    if (grain === 'day' && split === 'account' && !source.startsWith('archive')) run.changed.add(day);
  for (const day of news.touched) run.touched.add(day);
  run.failed += gathered.filter(({ failure }) => failure && !isRefused(failure)).length;
  run.has_news ||= news.has_news;
  run.publishing.arrived(news.days_new);
}

const isRefused = (failure: Failure | undefined): failure is Failure =>
  failure?.state === 'not_in_plan' || failure?.state === 'gone';

/** One row of ledger.requests for each attempt, in the order in which they ended. */
export function hear(
  run: Pick<Run, 'account' | 'pull_id' | 'tally' | 'heard' | 'notices'>,
  unit: PullUnit | ListUnit,
  attempt: ReceivedResponse,
) {
  const { account, pull_id, tally } = run;
  const { path, status, attempts, bytes, milliseconds, asked_at, error } = attempt;
  run.notices.hear(sourceName(unit), attempt.headers, asked_at);
  tally.requests += 1;
  if (error !== null) tally.faults += 1;
  const outcome = { path, status, attempts, bytes, milliseconds, asked_at, error };
  run.heard.push({ account, pull_id, sequence: tally.requests, source: sourceName(unit), ...outcome });
}
