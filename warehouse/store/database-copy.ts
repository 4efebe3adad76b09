// Makes a database hold what the folder of snapshots holds: the newest one, and whatever was rewritten or removed since. What is missing
// there after a failure is found again by comparing the two, so that the next time makes up for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import type { DatabasePublisher } from '../snapshot-database.ts';
import { openWarehouse, writerLimits } from './open.ts';
import { isPacked } from './packed/catalogue.ts';
import { unpack } from './packed/unpack.ts';
import { instantsIn, newest, publishedAt, snapshots, storedFile } from './snapshot-store.ts';

interface DatabaseDebts {
  /** Ids of snapshots that are to be put there, again or for the first time; the newest first. Those that got another time too. */
  missing: string[];
  /** Those of `missing` that it has as they were before they were rewritten. */
  outdated: string[];
  /** Ids of snapshots that are not kept any more. */
  removed: string[];
}

/** `all`: every kept snapshot, not only the newest one and those that were published since the database is used. */
interface Wanted {
  /** What rewrote kept snapshots last. */
  rewritten: string;
  all?: boolean;
}

/** What a database does not have yet, or still has. Errors: those of the publisher. */
export async function databaseDebts(
  database: Pick<DatabasePublisher, 'list'>,
  folder: string,
  { rewritten, all = false }: Wanted,
): Promise<DatabaseDebts> {
  const there = new Map((await database.list()).map((each) => [each.id, each]));
  const kept = await snapshots(folder);
  const last = await newest(folder);
  const wanted = kept.filter((id) => all || there.has(id) || id === last?.id).reverse();
  const outdated = wanted.filter((id) => there.has(id) && there.get(id)?.rewritten !== rewritten);
  const when = await instantsIn(folder);
  // A clock that ran ahead was set right since.
  const isRedated = (id: string): boolean => there.get(id)?.published_at !== when(id);
  const missing = wanted.filter((id) => outdated.includes(id) || !there.get(id)?.isWhole || isRedated(id));
  return { missing, outdated, removed: [...there.keys()].filter((id) => !kept.includes(id)) };
}

/**
 * Pays them. Nobody else may publish meanwhile. Returns how many snapshots it put there. Errors: those of the publisher; DamagedWarehouse,
 * if the newest file cannot be read.
 */
export async function copyToDatabase(
  database: DatabasePublisher,
  folder: string,
  wanted: Wanted,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<number> {
  const { missing } = await databaseDebts(database, folder, wanted);
  const last = await newest(folder);
  const unreadable = new Set<string>();
  for (const [done, id] of missing.entries()) {
    progress(done, missing.length);
    const snapshot = { id, published_at: await publishedAt(folder, id), rewritten: wanted.rewritten };
    try {
      await withWhole(folder, id, (engine) => database.publish(engine, snapshot));
    } catch (error) {
      // Nobody could say what is in it now: it goes there too.
      if (!(error instanceof DamagedWarehouse) || error.file !== storedFile(folder, id) || id === last?.id) throw error;
      unreadable.add(id);
    }
  }
  const kept = await snapshots(folder);
  await database.keepOnly(kept.filter((id) => !unreadable.has(id)));
  return missing.length - unreadable.size;
}

/** A snapshot as it was published, with its tables; a packed one is made whole for the time. */
async function withWhole<T>(folder: string, id: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const file = storedFile(folder, id);
  const made = isPacked(file) ? await mkdtemp(join(tmpdir(), 'chatledger-whole-')) : null;
  try {
    const whole = made === null ? file : join(made, 'snapshot.duckdb');
    if (made !== null) await unpack(file, whole);
    const engine = await openWarehouse(whole, { readOnly: true, ...writerLimits });
    return await work(engine).finally(() => engine.close());
  } finally {
    if (made !== null) await rm(made, { recursive: true, force: true });
  }
}
