// The snapshot that is being served: opened read-only, swapped when a newer one is published.
import { open as openFile, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { countChats } from '#warehouse/read/chats.ts';
import { unbrokenSince } from '#warehouse/read/pulled-days.ts';
import { lastSuccesses, type LastSuccess } from '#warehouse/read/pulls.ts';
import { fileOf, newest, publishedAt, wholeSnapshots } from '#warehouse/store/snapshot-store.ts';
import { newestName } from '#warehouse/store/snapshot.ts';
import type { OpenSnapshot, SnapshotStore } from '#api/deps.ts';
import type { PublishedSnapshot } from '#warehouse/query/context.ts';
import type { Published, Store } from '#warehouse/engine.ts';
import type { SnapshotDatabase } from '#warehouse/snapshot-database.ts';
import { clock } from './clock.ts';
import { readLastPull, type LastPull } from './last-pull.ts';
import { readRewriteMarker } from './rewrite-marker.ts';
import { questionsGiveWay } from './priorities.ts';
import { Leased, outsideRequests } from './request-scope.ts';
import { openSnapshotPool } from './snapshot-pool.ts';
import { complain } from './terminal.ts';

interface Served extends OpenSnapshot {
  whole: Store;
  /** What had rewritten kept snapshots last when it was opened. */
  mark: string;
  /** Its file, open as long as the snapshot is, so that it can be downloaded after its name is gone. */
  handle: FileHandle;
  /** Chats of all accounts. */
  chats: number;
  /** How far each account is in it. */
  accounts: ReadonlyMap<string, LastSuccess>;
  /** First local day of each account from which on nothing is missing. */
  unbroken: ReadonlyMap<string, string>;
}

/** Kept snapshots by their ids. */
type SnapshotLibrary = Omit<SnapshotStore, 'space'>;

export interface ServedSnapshots {
  /** The request that asks holds it until it ends. */
  current(): OpenSnapshot | null;
  /** Which one that is; nobody holds it. */
  published(): PublishedSnapshot | null;
  /** Number of chats; 0 without a snapshot. */
  chats(): number;
  /** Changes when kept snapshots are rewritten under their own names: earlier cached answers become invalid. */
  rewritten(): string;
  /** Those before it, for questions about the past. */
  older: SnapshotLibrary;
  /** ISO instant of the last pull after which the whole range of every account was in the served snapshot, or null. */
  last_success_at(): string | null;
  /** First local day of an account from which on the served snapshot has everything; null where no day before it is missing. */
  pulled_since(account: string): string | null;
  /** Looks for a newer snapshot; true when one was opened. */
  refresh(): Promise<boolean>;
  close(): Promise<void>;
}

/** What questions about the served snapshot may take together. */
export interface QueryLimits {
  /** Such as `1GB`; more is spilled to disk. */
  memory: string;
  /** Such as `2GB`: what may be spilled; a question that needs more fails. */
  spill: string;
}

/**
 * `since` gives the first day of each account that a snapshot must contain for its range to count as complete; `pseudonyms` is the secret
 * of this installation. `database`: it is asked instead of files, as of the newest snapshot that both have.
 */
export function openSnapshots(
  folder: string,
  since: () => ReadonlyMap<string, string>,
  limits?: QueryLimits,
  pseudonyms?: string,
  database?: SnapshotDatabase,
): ServedSnapshots {
  let served: Served | null = null;
  let lease: Leased | null = null;
  /** Replaced ones that are not closed yet. */
  const retired = new Set<Leased>();
  let last: LastPull | null = null;
  const older = openSnapshotPool(folder, pseudonyms, database);
  let rewritten = readRewriteMarker(folder);
  let under_way: Promise<boolean> | null = null;
  const look = async (): Promise<boolean> => {
    const mark = readRewriteMarker(folder);
    try {
      return await lookForNewer(mark);
    } finally {
      // Only now: the previous snapshot may have been used with the old marker.
      if (mark !== rewritten) older.forget();
      rewritten = mark;
    }
  };
  const lookForNewer = async (mark: string): Promise<boolean> => {
    last = readLastPull(folder);
    const isServed = (found: Published | null): boolean =>
      found === null || (found.id === served?.id && (!database || served.mark === mark));
    const newestFile = await newest(folder);
    if (isServed(newestFile)) return false;
    const published = database ? await newestIn(database, folder, mark) : newestFile;
    if (published === null || isServed(published)) return false;
    const old = lease;
    try {
      const opened = await open(published, { mark, limits, pseudonyms, database });
      const own: Leased = new Leased(() => closeServed(opened).finally(() => retired.delete(own)));
      [served, lease] = [opened, own];
    } catch (error) {
      if (!(error instanceof DamagedWarehouse) || error.file !== published.file) throw error;
      await setAside(published.file, error);
      return lookForNewer(mark);
    }
    if (old) {
      retired.add(old);
      old.retire();
    }
    return true;
  };
  return {
    current() {
      lease?.hold();
      return served;
    },
    published: () => served && { id: served.id, published_at: served.published_at },
    chats: () => served?.chats ?? 0,
    rewritten: () => rewritten,
    older,
    last_success_at() {
      if (!served) return null;
      const isServed = last !== null && last.snapshot_id <= served.id;
      const told = last !== null && isServed ? wholeAt(new Map(Object.entries(last.accounts)), since()) : null;
      return told ?? wholeAt(served.accounts, since());
    },
    pulled_since: (account) => firstWithout(since().get(account), served?.unbroken.get(account)),
    refresh: () => (under_way ??= outsideRequests(look).finally(() => (under_way = null))),
    async close() {
      await Promise.all([...retired].map((file) => file.close()));
      await older.close();
      await lease?.close();
      [served, lease] = [null, null];
    },
  };
}

/** Whether a snapshot opens, and the public name refers to its file. A broken one is published again, even without news. */
export async function isWell(folder: string, { file }: Published): Promise<boolean> {
  try {
    const [own, named] = [await stat(file), await stat(join(folder, newestName))];
    await (await openWarehouse(file, { readOnly: true })).close();
    return own.ino === named.ino;
  } catch {
    return false;
  }
}

/** Renames a damaged file, so that the previous snapshot is served. */
async function setAside(file: string, error: DamagedWarehouse): Promise<void> {
  await rename(file, `${file}.damaged`);
  complain(`${error.message}: set aside as ${file}.damaged, the snapshot before it is served`);
}

/** From when on nothing is missing, where days before it are; `first`: the first day to pull. */
export const firstWithout = (first: string | undefined, reached: string | undefined): string | null =>
  first !== undefined && reached !== undefined && reached > first ? reached : null;

/** When the account that was pulled longest ago was pulled; null unless each has its whole range. */
export function wholeAt(reached: ReadonlyMap<string, LastSuccess>, since: ReadonlyMap<string, string>): string | null {
  const ends = [...since].map(([account, first]) => {
    const { ended_at = null, pulled_since = null } = reached.get(account) ?? {};
    return pulled_since !== null && pulled_since <= first ? ended_at : null;
  });
  return ends.reduce(
    (oldest, end) => (oldest === null || end === null ? null : oldest < end ? oldest : end),
    ends[0] ?? null,
  );
}

async function closeServed({ whole, handle }: Served): Promise<void> {
  await whole.close();
  await handle.close();
}

/** The newest snapshot that is a whole file and that a database has as it is now, or null. */
async function newestIn(database: SnapshotDatabase, folder: string, mark: string): Promise<Published | null> {
  const there = new Set((await database.list()).filter(({ rewritten }) => rewritten === mark).map(({ id }) => id));
  const id = (await wholeSnapshots(folder)).findLast((each) => there.has(each));
  return id === undefined ? null : { id, published_at: await publishedAt(folder, id), file: fileOf(folder, id) };
}

interface Opening {
  mark: string;
  limits: QueryLimits | undefined;
  pseudonyms: string | undefined;
  database: SnapshotDatabase | undefined;
}

async function open({ id, published_at, file }: Published, opening: Opening): Promise<Served> {
  const { mark, limits = {}, pseudonyms, database } = opening;
  const whole = await openWarehouse(file, { readOnly: true, ...limits });
  questionsGiveWay();
  try {
    const engine = database ? await database.open({ id, rewritten: mark }) : whole;
    const [accounts, unbroken, chats] = await Promise.all([
      lastSuccesses(engine),
      unbrokenSince(engine, clock()),
      countChats(engine),
    ]);
    const handle = await openFile(file, 'r');
    return { id, engine, whole, mark, chats, handle, published_at, accounts, unbroken, pseudonyms };
  } catch (error) {
    await whole.close();
    throw error;
  }
}
