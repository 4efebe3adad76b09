// Plays the raw archive back into a warehouse: the answers go the way they went when they came, through the same decoders.
import type { Engine } from '#warehouse/engine.ts';
import { Bundle } from './bundle.ts';
import type { Gathered } from './gather.ts';
import { readLedger, type Ledger } from './ledger.ts';
import { loadLists } from './lists.ts';
import { costOf, prepare, type Batch } from './load.ts';
import type { ListUnit, Unit } from './plan.ts';
import { batchesOf, eventsOf, isLoaded, listsAt, type Event } from './raw-events.ts';
import { fold } from './raw-fold.ts';
import { gatherKept, storedBodies, type Bodies } from './raw-gather.ts';
import { daysHeld, readingsOf, type Reading } from './raw-readings.ts';
import { loadedAt } from './rebuild-records.ts';
import { seenAgain } from './seen-again.ts';
import { emptyTally } from './tally.ts';

export interface ReplaySetup {
  /** The warehouse that is written. */
  engine: Engine;
  /** The raw archive. */
  archive: Engine;
  account: string;
  /** Only what was received later than this (Unix seconds), and of that moment what the ledger does not have. */
  from?: number;
  /** After each batch: questions played so far. */
  onProgress?: (played: number) => void;
}

/** The ledger keeps days near its own time one by one; it is read anew when the archive has moved on so far. */
const ledger_seconds = 30 * 86_400;
/** Pages that are held in memory before they are loaded. */
const most_pages = 80;

/** Everything that was received of one account. Each batch is one transaction: cut off, it goes on from the ledger. */
export async function replay(setup: ReplaySetup): Promise<void> {
  const { engine, archive, account, from = -Infinity } = setup;
  const player: Player = { setup, ledger: undefined, seen: new Map(), brought: new WeakMap() };
  const loaded = Number.isFinite(from) ? await loadedAt(engine, account, from) : new Set<string>();
  let played = 0;
  for (const day of await daysHeld(archive, account, from)) {
    const readings = await fold(archive, await readingsOf(archive, account, day));
    const lists = readings.filter(isOfLists);
    const events = eventsOf(readings).filter(
      (event) => event.at > from || (event.at === from && !isLoaded(event, loaded)),
    );
    for (const batch of batchesOf(events)) {
      await engine.transaction(() => playBatch(player, batch, lists));
      played += batch.length;
      setup.onProgress?.(played);
    }
  }
}

interface Player {
  setup: ReplaySetup;
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
  const { engine, archive, account } = player.setup;
  const [first] = events;
  if (!first) return;
  const { timezone } = first.reading;
  // Not within a batch: what that has not written yet could not be read.
  const ledger = await ledgerAt(player, timezone, first.at);
  const bodies = await storedBodies(
    archive,
    events.flatMap(({ reading: { unit, usable } }) => (unit.kind === 'report' ? usable : [])),
  );
  const writing: Writing = { bundle: new Bundle(), bodies, pages: 0 };
  const listed = new Set<number>();
  const broughtBy = (record: unknown): string | undefined => player.brought.get(record as object) || undefined;
  for (const { at: now, pull_id, reading } of events) {
    // A thread may have been brought to be compared before it fed the facts: that pull did not bring the fact.
    const isThread = reading.unit.kind === 'archive' && reading.unit.via === 'agent_v3';
    const batch: Batch = { account, timezone, pull_id, now, ...(isThread ? {} : { broughtBy }) };
    if (reading.unit.kind !== 'list') await playUnit(player, ledger, batch, reading as Reading<Unit>, writing);
    else if (!listed.has(now)) await playLists(player, ledger, batch, listsAt(lists, now));
    if (reading.unit.kind === 'list') listed.add(now);
  }
  await writing.bundle.commit(engine);
}

/** What is written at the end of a batch, or before when it is much. */
interface Writing {
  bundle: Bundle;
  bodies: Bodies;
  pages: number;
}

async function ledgerAt(player: Player, timezone: string, now: number): Promise<Ledger> {
  const { engine, account } = player.setup;
  const known = player.ledger;
  if (known && known.timezone === timezone && now - known.read_at < ledger_seconds) return known.ledger;
  const ledger = await readLedger(engine, { account, timezone, now });
  player.ledger = { ledger, timezone, read_at: now };
  return ledger;
}

async function playLists(
  { setup: { engine, archive, account } }: Player,
  ledger: Ledger,
  batch: Batch,
  lists: readonly Reading<ListUnit>[],
): Promise<void> {
  const gathered: Gathered<ListUnit>[] = [];
  for (const list of lists) gathered.push(...(await Array.fromAsync(gatherKept(archive, account, list))));
  await loadLists({ ...batch, engine, ledger, failed: 0, has_news: false }, gathered, batch.now);
}

async function playUnit(
  { setup: { engine, archive, account }, seen, brought }: Player,
  ledger: Ledger,
  batch: Batch,
  reading: Reading<Unit>,
  writing: Writing,
): Promise<void> {
  const { unit, signature, outcome, answers } = reading;
  const isFacts = unit.kind === 'archive' && !unit.isCompared;
  const isSame = isFacts && !outcome.failure && seen.get(questionOf(reading)) === signature;
  if (isSame && (await seenAgain(engine, ledger, unit, batch, costOf(answers)))) return;
  const flush = async (): Promise<void> => {
    await writing.bundle.commit(engine);
    Object.assign(writing, { bundle: new Bundle(), pages: 0 });
  };
  // What is compared with the facts must find them written.
  if (unit.kind === 'archive' && unit.isCompared) await flush();
  for await (const part of gatherKept(archive, account, reading, writing.bodies, brought)) {
    const { bundle } = writing;
    await prepare({ engine, ledger, batch, tally: emptyTally(), bundle, previous: undefined }, [part]);
    writing.pages += part.bodies.length;
    if (writing.pages >= most_pages) await flush();
  }
  if (isFacts) seen.set(questionOf(reading), signature);
}
