// Plays the raw archive back into a warehouse: the answers go the way they went when they came, through the same decoders.
import type { Store } from '#warehouse/engine.ts';
import { nobodyErased, type ErasureFilter } from '../erased/erased.ts';
import type { Gathered } from '../fetched.ts';
import { readLedger, type PullLedger } from '../ledger/ledger.ts';
import { loadLists } from '../lists.ts';
import type { Batch } from '../load/batch.ts';
import { prepare } from '../load/load.ts';
import type { ArchiveUnit, ListUnit, PullUnit } from '../unit.ts';
import { batchesOf, eventsOf, isLoaded, listsAt, type ReadingEvent } from '../raw/events.ts';
import { compact } from '../raw/compact.ts';
import { storedBodies, type StoredBodies } from '../raw/bodies.ts';
import { gatherKept } from '../raw/gather.ts';
import { daysHeld, readingsOf, type Reading } from '../raw/readings.ts';
import { readAhead, type Ahead } from './read-ahead.ts';
import { loadedAt } from './records.ts';
import { seenAgain } from './unchanged-day.ts';
import { noRedaction, type Redaction } from '../redact/redaction.ts';
import { emptyTally } from '../tally.ts';
import { createWriting, type Writing } from '../load/writing.ts';

interface ReplaySetup {
  /** The warehouse that is written. */
  engine: Store;
  /** The raw archive. */
  archive: Store;
  /** Who is erased, nobody by default: the file may be a restored older copy. */
  erased?: ErasureFilter;
  /** Redaction of texts, none by default. */
  redaction?: Redaction;
  account: string;
  /** Only answers received later than this (Unix seconds), and those of that moment that the ledger lacks. */
  from?: number;
  /** Pages that are read at once, and held in memory before they are written. */
  most_pages?: number;
  /** After each batch: questions played so far. */
  onProgress?: (played: number) => void;
}

/** The ledger keeps only days near its own time individually; it is reloaded whenever the archive has advanced this far. */
const ledger_seconds = 30 * 86_400;
const pages_held = 80;

/**
 * Everything that was received of one account, in the order in which it came; a day is committed whole. Cut off, it goes
 * on from the ledger.
 */
export async function replay(setup: ReplaySetup): Promise<void> {
  const writing = createWriting(setup.engine, setup.most_pages);
  try {
    await playAll({ setup, writing, ledger: undefined, seen: new Map() });
    await writing.settle();
  } finally {
    await writing.end();
  }
}

async function playAll(player: Player): Promise<void> {
  const { archive, account, from = -Infinity, engine } = player.setup;
  const loaded = Number.isFinite(from) ? await loadedAt(engine, account, from) : new Set<string>();
  let played = 0;
  for (const day of await daysHeld(archive, account, from)) {
    await player.writing.settle();
    const readings = await compact(archive, await readingsOf(archive, account, day));
    const events = eventsOf(readings).filter(
      (event) => event.at > from || (event.at === from && !isLoaded(event, loaded)),
    );
    played = await playDay(player, readings.filter(isOfLists), events, played);
  }
}

/** Replays one UTC day; returns the number of questions replayed so far. */
async function playDay(
  player: Player,
  lists: readonly Reading<ListUnit>[],
  events: readonly ReadingEvent[],
  before: number,
): Promise<number> {
  const { writing, setup } = player;
  const { archive, account, most_pages = pages_held, onProgress } = setup;
  const days = readAhead({
    ...{ archive, account, most_pages, events: events.filter(isOfFacts) },
    isLikely: (event) => !isSame(player, event),
  });
  let played = before;
  try {
    for (const { batch, periods } of batchesOf(events)) {
      // A repeated period must find its previous state in the ledger.
      if (!periods.isDisjointFrom(writing.periods)) await writing.settle();
      await playBatch(player, batch, lists, days);
      await writing.begin();
      for (const period of periods) writing.periods.add(period);
      played += batch.length;
      onProgress?.(played);
    }
  } finally {
    await days.end();
  }
  return played;
}

interface Player {
  setup: ReplaySetup;
  writing: Writing;
  /** For one zone, loaded at one moment (Unix seconds). */
  ledger: { ledger: PullLedger; timezone: string; read_at: number } | undefined;
  /** The answers that were last played of an archive day, by question. */
  seen: Map<string, string>;
}

const isOfLists = (reading: Reading): reading is Reading<ListUnit> => reading.unit.kind === 'list';
/** Quarantined records are checked as received, page by page. */
const isOfFacts = (event: ReadingEvent): event is ReadingEvent<ArchiveUnit> =>
  event.reading.unit.kind === 'archive' &&
  !event.reading.unit.isCompared &&
  event.reading.outcome.failure?.state !== 'quarantined';
const isSame = ({ seen }: Player, { reading }: ReadingEvent<ArchiveUnit>): boolean =>
  !reading.outcome.failure && seen.get(questionOf(reading)) === reading.signature;
/** The same path may be asked to feed the facts and to be compared with them. */
const questionOf = ({ unit }: Reading): string => JSON.stringify(unit);

/** Answers of one batch in their order: what belongs to different periods is written together at its end. */
async function playBatch(
  player: Player,
  events: readonly ReadingEvent[],
  lists: readonly Reading<ListUnit>[],
  days: Ahead,
): Promise<void> {
  const { archive, account } = player.setup;
  const [first] = events;
  if (!first) return;
  const { timezone } = first.reading;
  const ledger = await ledgerAt(player, timezone, first.at);
  const bodies = await storedBodies(
    archive,
    events.flatMap(({ reading: { unit, usable } }) => (unit.kind === 'report' ? usable : [])),
  );
  const listed = new Set<number>();
  for (const event of events) {
    const { at: now, pull_id, reading } = event;
    const batch: Batch = { account, timezone, pull_id, now };
    if (isOfFacts(event)) await playDayOfChats(player, ledger, batch, event, days);
    else if (reading.unit.kind !== 'list') await playUnit(player, ledger, batch, reading as Reading<PullUnit>, bodies);
    else if (!listed.has(now)) await playLists(player, ledger, batch, listsAt(lists, now));
    if (reading.unit.kind === 'list') listed.add(now);
    if (player.writing.isLong()) await player.writing.settle();
  }
}

async function ledgerAt(player: Player, timezone: string, now: number): Promise<PullLedger> {
  const { engine, account } = player.setup;
  const known = player.ledger;
  if (known && known.timezone === timezone && now - known.read_at < ledger_seconds) return known.ledger;
  await player.writing.settle();
  const ledger = await readLedger(engine, { account, timezone, now });
  player.ledger = { ledger, timezone, read_at: now };
  return ledger;
}

async function playLists(
  { setup: { engine, archive, account }, writing }: Player,
  ledger: PullLedger,
  batch: Batch,
  lists: readonly Reading<ListUnit>[],
): Promise<void> {
  // Lists are written directly; earlier batches must be committed first, in case the list is the last write.
  await writing.settle();
  const gathered: Gathered<ListUnit>[] = [];
  for (const list of lists) gathered.push(...(await Array.fromAsync(gatherKept(archive, account, list))));
  await loadLists({ ...batch, engine, ledger, failed: 0, has_news: false }, gathered, batch.now);
}

async function playDayOfChats(
  player: Player,
  ledger: PullLedger,
  batch: Batch,
  event: ReadingEvent<ArchiveUnit>,
  days: Ahead,
): Promise<void> {
  const { engine, most_pages = pages_held } = player.setup;
  const { writing } = player;
  const { unit, signature, outcome, cost, usable } = event.reading;
  const isAgain = isSame(player, event);
  if (isAgain && (await seenAgain({ engine, ledger, batch, bundle: writing.bundle }, unit, cost))) return;
  player.seen.set(questionOf(event.reading), signature);
  // A bundle takes the memory of this many pages; its day may continue in the next one.
  if (writing.pages + usable.length > most_pages) await writing.begin();
  for await (const { records, pages, isLast } of days.partsOf(event)) {
    const part = { unit, answers: [], bodies: [], records };
    const gathered: Gathered<PullUnit> = isLast ? { ...part, cost, ...outcome } : { ...part, isPart: true };
    await prepareInto(player, ledger, batch, gathered, pages);
  }
}

async function playUnit(
  player: Player,
  ledger: PullLedger,
  batch: Batch,
  reading: Reading<PullUnit>,
  bodies: StoredBodies,
): Promise<void> {
  const { archive, account } = player.setup;
  // A comparison with the facts needs them committed.
  if (reading.unit.kind === 'archive' && reading.unit.isCompared) await player.writing.settle();
  player.seen.set(questionOf(reading), reading.signature);
  for await (const part of gatherKept(archive, account, reading, bodies))
    await prepareInto(player, ledger, batch, part, part.bodies.length);
}

async function prepareInto(
  { setup: { engine, erased = nobodyErased, redaction = noRedaction, most_pages = pages_held }, writing }: Player,
  ledger: PullLedger,
  batch: Batch,
  part: Gathered<PullUnit>,
  pages: number,
): Promise<void> {
  const { bundle, on_the_way: previous } = writing;
  await prepare({ engine, ledger, batch, erased, redaction, tally: emptyTally(), bundle, previous }, [part]);
  writing.pages += pages;
  writing.is_half = part.isPart === true;
  if (writing.pages >= most_pages) await writing.begin();
}
