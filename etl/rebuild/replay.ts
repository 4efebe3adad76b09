// Plays the raw archive back into a warehouse: the answers go the way they went when they came, through the same decoders.
import type { Engine } from '#warehouse/engine.ts';
import { Bundle } from '../load/bundle.ts';
import type { Gathered } from '../ask/gather.ts';
import { readLedger, type Ledger } from '../ledger/ledger.ts';
import { loadLists } from '../lists.ts';
import { costOf, prepare, type Batch } from '../load/load.ts';
import type { ListUnit, Unit } from '../plan/plan.ts';
import { batchesOf, eventsOf, isLoaded, listsAt, type Event } from '../raw/events.ts';
import { fold } from '../raw/fold.ts';
import { gatherKept, storedBodies, type Bodies } from '../raw/gather.ts';
import { daysHeld, readingsOf, type Reading } from '../raw/readings.ts';
import { loadedAt } from './records.ts';
import { seenAgain } from './seen-again.ts';
import { emptyTally } from '../tally.ts';

export interface ReplaySetup {
  /** The warehouse that is written. */
  engine: Engine;
  /** The raw archive. */
  archive: Engine;
  account: string;
  /** Only what was received later than this (Unix seconds), and of that moment what the ledger does not have. */
  from?: number;
  /** Pages that are held in memory before they are written. */
  most_pages?: number;
  /** After each batch: questions played so far. */
  onProgress?: (played: number) => void;
}

/** The ledger keeps days near its own time one by one; it is read anew when the archive has moved on so far. */
const ledger_seconds = 30 * 86_400;
const pages_held = 80;

/**
 * Everything that was received of one account. Transactions are written in the order in which the answers came: cut off,
 * it goes on from the ledger.
 */
export async function replay(setup: ReplaySetup): Promise<void> {
  const { engine } = setup;
  const writing = createWriting(engine);
  try {
    await playAll({ setup, writing, ledger: undefined, seen: new Map(), brought: new WeakMap() });
    await writing.settle();
  } finally {
    await writing.end();
  }
}

async function playAll(player: Player): Promise<void> {
  const { engine, archive, account, from = -Infinity, onProgress } = player.setup;
  const loaded = Number.isFinite(from) ? await loadedAt(engine, account, from) : new Set<string>();
  let played = 0;
  for (const day of await daysHeld(archive, account, from)) {
    await player.writing.settle();
    const readings = await fold(archive, await readingsOf(archive, account, day));
    const lists = readings.filter(isOfLists);
    const events = eventsOf(readings).filter(
      (event) => event.at > from || (event.at === from && !isLoaded(event, loaded)),
    );
    for (const { batch, isApart } of batchesOf(events)) {
      // What comes once more has to find in the ledger what it was before.
      if (!isApart) await player.writing.settle();
      await playBatch(player, batch, lists);
      await player.writing.begin();
      played += batch.length;
      onProgress?.(played);
    }
  }
}

interface Player {
  setup: ReplaySetup;
  writing: Writing;
  /** Of one zone, read at one moment (Unix seconds). */
  ledger: { ledger: Ledger; timezone: string; read_at: number } | undefined;
  /** The answers that were last played of an archive day, by question. */
  seen: Map<string, string>;
  /** The pull that brought a record first, also when its answers have thinned out since. */
  brought: WeakMap<object, string>;
}

const isOfLists = (reading: Reading): reading is Reading<ListUnit> => reading.unit.kind === 'list';
/** The same path may be asked to feed the facts and to be compared with them. */
const questionOf = ({ unit }: Reading): string => JSON.stringify(unit);

/** Answers of one batch in their order: what belongs to different periods is written together at its end. */
async function playBatch(player: Player, events: readonly Event[], lists: readonly Reading<ListUnit>[]): Promise<void> {
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
  const broughtBy = (record: unknown): string | undefined => player.brought.get(record as object) || undefined;
  for (const { at: now, pull_id, reading } of events) {
    // A thread may have been brought to be compared before it fed the facts: that pull did not bring the fact.
    const isThread = reading.unit.kind === 'archive' && reading.unit.via === 'agent_v3';
    const batch: Batch = { account, timezone, pull_id, now, ...(isThread ? {} : { broughtBy }) };
    if (reading.unit.kind !== 'list') await playUnit(player, ledger, batch, reading as Reading<Unit>, bodies);
    else if (!listed.has(now)) await playLists(player, ledger, batch, listsAt(lists, now));
    if (reading.unit.kind === 'list') listed.add(now);
  }
}

async function ledgerAt(player: Player, timezone: string, now: number): Promise<Ledger> {
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
  ledger: Ledger,
  batch: Batch,
  lists: readonly Reading<ListUnit>[],
): Promise<void> {
  // Lists write themselves; what came before them must not be missing when that is the last thing written.
  await writing.settle();
  const gathered: Gathered<ListUnit>[] = [];
  for (const list of lists) gathered.push(...(await Array.fromAsync(gatherKept(archive, account, list))));
  await loadLists({ ...batch, engine, ledger, failed: 0, has_news: false }, gathered, batch.now);
}

async function playUnit(
  { setup, writing, seen, brought }: Player,
  ledger: Ledger,
  batch: Batch,
  reading: Reading<Unit>,
  bodies: Bodies,
): Promise<void> {
  const { engine, archive, account, most_pages = pages_held } = setup;
  const { unit, signature, outcome, answers, usable } = reading;
  const isFacts = unit.kind === 'archive' && !unit.isCompared;
  const isSame = isFacts && !outcome.failure && seen.get(questionOf(reading)) === signature;
  if (isSame && (await seenAgain({ engine, ledger, batch, bundle: writing.bundle }, unit, costOf(answers)))) return;
  // What is compared with the facts must find them written.
  if (unit.kind === 'archive' && unit.isCompared) await writing.settle();
  // A day is written in one piece, unless it is longer than that.
  if (writing.pages + usable.length > most_pages) await writing.begin();
  for await (const part of gatherKept(archive, account, reading, bodies, brought)) {
    const { bundle, previous } = writing;
    await prepare({ engine, ledger, batch, tally: emptyTally(), bundle, previous }, [part]);
    writing.pages += part.bodies.length;
    if (writing.pages >= most_pages) await writing.begin();
  }
  if (isFacts) seen.set(questionOf(reading), signature);
}

/** One bundle is filled while the one before is written. */
interface Writing {
  bundle: Bundle;
  /** The one that may still be on its way. */
  previous: Bundle | undefined;
  /** Pages that the bundle was filled with. */
  pages: number;
  /** Begins to write the bundle, when the one before is written; another takes its place. */
  begin(): Promise<void>;
  /** Writes everything. */
  settle(): Promise<void>;
  /** Waits for what is under way, whatever becomes of it. */
  end(): Promise<void>;
}

function createWriting(engine: Engine): Writing {
  let written = Promise.resolve();
  const writing: Writing = {
    ...{ bundle: new Bundle(), previous: undefined, pages: 0 },
    async begin() {
      await written;
      written = writing.bundle.commit(engine);
      written.catch(() => undefined); // TRICKY: awaited later; without this a failure meanwhile ends the process
      Object.assign(writing, { bundle: new Bundle(), previous: writing.bundle, pages: 0 });
    },
    async settle() {
      await writing.begin();
      await written;
    },
    end: () => written.catch(() => undefined),
  };
  return writing;
}
