// Plays the raw archive back into a warehouse: the answers go the way they went when they came, through the same decoders.
import type { Engine } from '#warehouse/engine.ts';
import type { Gathered } from './gather.ts';
import { readLedger, type Ledger } from './ledger.ts';
import { loadLists } from './lists.ts';
import { costOf, load, periodOf, type Batch } from './load.ts';
import type { ArchiveUnit, ListUnit, Unit } from './plan.ts';
import { batchesOf, eventsOf, isLoaded, listsAt, type Event } from './raw-events.ts';
import { gatherKept, storedBodies } from './raw-gather.ts';
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
  const player: Player = { setup, ledger: undefined, seen: new Map() };
  const loaded = Number.isFinite(from) ? await loadedAt(engine, account, from) : new Set<string>();
  let played = 0;
  for (const day of await daysHeld(archive, account, from)) {
    const readings = await readingsOf(archive, account, day);
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
}

const isOfLists = (reading: Reading): reading is Reading<ListUnit> => reading.unit.kind === 'list';
/** Not one that is only compared. */
const isOfArchive = (reading: Reading): reading is Reading<ArchiveUnit> =>
  reading.unit.kind === 'archive' && !reading.unit.isCompared;

/** The same path may be asked to feed the facts and to be compared with them. */
const questionOf = ({ unit }: Reading): string => JSON.stringify(unit);

async function playBatch(player: Player, events: readonly Event[], lists: readonly Reading<ListUnit>[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  const { at: now, pull_id, reading } = first;
  const { account } = player.setup;
  const batch: Batch = { account, timezone: reading.timezone, pull_id, now };
  const ledger = await ledgerAt(player, batch);
  if (isOfLists(reading)) await playLists(player, ledger, batch, listsAt(lists, now));
  else await playUnits(player, ledger, batch, events);
}

async function ledgerAt(player: Player, { account, timezone, now }: Batch): Promise<Ledger> {
  const { ledger: known, setup } = player;
  if (known && known.timezone === timezone && now - known.read_at < ledger_seconds) return known.ledger;
  const ledger = await readLedger(setup.engine, { account, timezone, now });
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

/** Days that the answer of a report names: one by weekday names others than it was asked for. */
const namedDays = (body: unknown): string[] => [
  ...new Set(
    Object.keys(body ?? {}).flatMap((label) => (/^\d{4}-\d{2}-\d{2}/.test(label) ? [label.slice(0, 10)] : [])),
  ),
];

/** Units of a pull in the order in which they came; pages of long days are loaded as they are read. */
async function playUnits(
  { setup: { engine, archive, account }, seen }: Player,
  ledger: Ledger,
  batch: Batch,
  events: readonly Event[],
): Promise<void> {
  const tally = emptyTally();
  let held: Gathered<Unit>[] = [];
  let pages = 0;
  const loadHeld = async (): Promise<void> => {
    await ledger.recall(
      held.flatMap(({ unit, bodies }) => namedDays(bodies[0]).map((day) => periodOf(unit, day, batch))),
    );
    await load(engine, ledger, held, batch, tally);
    held = [];
    pages = 0;
  };
  const bodies = await storedBodies(
    archive,
    events.flatMap(({ reading: { unit, usable } }) => (unit.kind === 'report' ? usable : [])),
  );
  for (const { reading } of events) {
    const isSame =
      isOfArchive(reading) && !reading.outcome.failure && seen.get(questionOf(reading)) === reading.signature;
    if (isSame && (await seenAgain(engine, ledger, reading.unit, batch, costOf(reading.answers)))) continue;
    for await (const part of gatherKept(archive, account, reading as Reading<Unit>, bodies)) {
      held.push(part);
      pages += part.bodies.length;
      if (pages >= most_pages) await loadHeld();
    }
    if (isOfArchive(reading)) seen.set(questionOf(reading), reading.signature);
  }
  await loadHeld();
}
