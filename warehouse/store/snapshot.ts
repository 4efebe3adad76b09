// Publishes an immutable copy of the warehouse as the newest snapshot, and one name that always points to it.
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store, Published } from '../engine.ts';
import { extension } from '../engines/default.ts';
import { DamagedWarehouse } from '../errors.ts';
import { keepAllOpenHours } from './business-hours.ts';
import { keepCounts } from './counts.ts';
import { defaultSpace } from './retention.ts';
import { openWarehouse, writerLimits } from './open.ts';
import { pack } from './packed/pack.ts';
import { redated, setBack, writeRedated } from './redated.ts';
import {
  fileOf,
  idOf,
  instantsIn,
  packedFileOf,
  publishedAt,
  snapshots,
  tidy,
  wholeSnapshots,
} from './snapshot-store.ts';
import { keepSpare, smallestSpare, takeSpare } from './spare.ts';
import { flush, markPublished } from './swap.ts';
import { dimensionStatements } from './variables.ts';
import { traced } from '../tracing.ts';
import { metricViews } from '../query/views.ts';

/** The name under which analysts find the newest snapshot. */
export const newestName = `chatledger.${extension}`;

/** A time that gives the newest id in the folder, even if the clock was set back. Milliseconds. */
async function freeTime(folder: string, milliseconds: number): Promise<number> {
  const kept = await snapshots(folder);
  const last = kept.at(-1);
  let time =
    last === undefined ? milliseconds : Math.max(milliseconds, Date.parse(await publishedAt(folder, last)) + 1);
  while (kept.includes(idOf(time))) time += 1;
  return time;
}

/** Once the source says that the clock is right: snapshots of a clock that ran ahead get the time at which they were published at the latest. */
async function redate(folder: string, now: number, skew: number | null): Promise<void> {
  const when = await instantsIn(folder);
  const times = (await snapshots(folder)).map((id) => [id, Date.parse(when(id))] as const);
  const found = setBack(times, now, skew);
  if (found.size > 0) await writeRedated(folder, new Map([...(await redated(folder)), ...found]));
}

export interface Publishing {
  /** Bytes that all snapshots may take. */
  space?: number;
  /** From this size in bytes on, only changes are written. */
  smallest?: number;
  /** Seconds by which the source's clock is ahead of this machine's; null: it did not say. Snapshots age by the clock that is behind. */
  clock_skew?: number | null;
  /** The same, if the source has said it in this pull; what an earlier one heard may be of a clock that was set since. */
  heard_skew?: number | null;
  /** What follows each publication, before the next one begins. */
  elsewhere?: () => Promise<void>;
}

/** The publication that each open warehouse is busy with: accounts that are pulled together have one warehouse. */
const busy = new WeakMap<Store, Promise<unknown>>();

/**
 * Publishes after what the same warehouse publishes already: each publication begins with clearing away what a killed one left, and
 * must not find the other's. `now` in milliseconds.
 */
export function publish(engine: Store, folder: string, now: number, publishing: Publishing = {}): Promise<Published> {
  return betweenPublications(engine, () =>
    traced({ name: 'publish', attributes: {} }, async (attributes) => {
      const published = await publishAlone(engine, folder, now, publishing);
      await publishing.elsewhere?.();
      attributes['chatledger.snapshot'] = published.id;
      return published;
    }),
  );
}

/** Work during which the same warehouse publishes nothing. */
export function betweenPublications<T>(engine: Store, work: () => Promise<T>): Promise<T> {
  const turn = (busy.get(engine) ?? Promise.resolve()).then(work);
  busy.set(
    engine,
    turn.catch(() => undefined),
  );
  return turn;
}

/**
 * Writes a new file under `<folder>/snapshots` and redirects the newest name to it by rename: readers see the old file or the new one,
 * never half of one. Then packs older ones, and removes some by the rule of retention.ts.
 */
async function publishAlone(
  engine: Store,
  folder: string,
  now: number,
  { space = defaultSpace, smallest = smallestSpare, clock_skew = null, heard_skew = null }: Publishing,
): Promise<Published> {
  const kept = join(folder, 'snapshots');
  await mkdir(kept, { recursive: true });
  for (const name of await readdir(kept))
    if (name.endsWith('.part') || name.includes('.part.')) await rm(join(kept, name));
  await redate(folder, now, heard_skew);
  const time = await freeTime(folder, now);
  const id = idOf(time);
  const published_at = new Date(time).toISOString();
  const part = join(kept, `${id}.part`);
  const file = fileOf(folder, id);
  const { dialect } = engine;
  await keepCounts(engine);
  await keepAllOpenHours(engine);
  const isOver = await takeSpare(folder, part);
  await engine.copyTo(
    part,
    async (copy) => {
      const statements = [
        `insert into ledger.snapshot values (${dialect.literal(id, 'text')}, ${dialect.literal(published_at, 'instant')})`,
        ...dimensionStatements(dialect),
        ...(await metricViews(engine, Math.floor(time / 1000))),
      ];
      await copy.inside(statements, { isAtOnce: true });
    },
    { isOver },
  );
  await flush(part);
  await rename(part, file);
  const fresh = join(folder, `${newestName}.part`);
  await rm(fresh, { force: true });
  await link(file, fresh);
  await rename(fresh, join(folder, newestName));
  await flush(kept);
  await flush(folder);
  await markPublished(engine.file);
  await packOlder(folder, smallest);
  // Not by `time`: a snapshot of a clock that ran ahead would make all others old.
  await tidy(folder, now + Math.min(clock_skew ?? 0, 0) * 1000, space);
  return { id, published_at, file };
}

/** Number of unpacked files: the one that answers questions, and a fallback if it is damaged. */
const whole_files = 2;
/** The first publication of a program that packs finds many files; each takes its time. */
const packed_at_once = 2;

/** An unreadable file stays as it is: its readers get an error. */
async function packOlder(folder: string, smallest: number): Promise<void> {
  let packed = 0;
  const when = await instantsIn(folder);
  for (const id of (await wholeSnapshots(folder)).slice(0, -whole_files).reverse()) {
    if (packed === packed_at_once) return;
    try {
      const engine = await openWarehouse(fileOf(folder, id), { readOnly: true, ...writerLimits });
      const today = Math.floor(Date.parse(when(id)) / 86_400_000);
      await pack(engine, folder, packedFileOf(folder, id), today).finally(() => engine.close());
      await keepSpare(fileOf(folder, id), smallest);
      packed += 1;
    } catch (error) {
      if (!(error instanceof DamagedWarehouse)) throw error;
    }
  }
}
