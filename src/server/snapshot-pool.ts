// Older snapshots, opened for questions about the past: a few stay open, for a short time.
import type { OpenSnapshot } from '#api/deps.ts';
import type { Engine, Store } from '#warehouse/engine.ts';
import type { SnapshotDatabase } from '#warehouse/snapshot-database.ts';
import {
  lostSnapshots,
  openSnapshot,
  publishedAt,
  storedSnapshots,
  type LostSnapshots,
  type StoredSnapshot,
} from '#warehouse/store/snapshot-store.ts';
import { spareBytes } from '#warehouse/store/spare.ts';
import { questionsGiveWay } from './priorities.ts';
import { readRewriteMarker } from './rewrite-marker.ts';
import { Leased, outsideRequests } from './request-scope.ts';

interface OlderSnapshots {
  list(): Promise<StoredSnapshot[]>;
  lost(): Promise<LostSnapshots | null>;
  /** Bytes of the file that the next publication writes into. */
  spare(): Promise<number>;
  /** Opens a snapshot or returns the open one; the current request holds it. Errors: DamagedWarehouse if it has been removed. */
  open(id: string): Promise<OpenSnapshot>;
  /** Those that are open were written anew: the next question opens them again. */
  forget(): void;
  close(): Promise<void>;
}

const most_open = 3;
/** After its last use a snapshot stays open this long. */
const idle_ms = 60_000;
const limits = { memory: '256MB', spill: '1GB' };

interface PooledSnapshot {
  opened: Promise<OpenSnapshot & { whole: Store }>;
  lease: Leased;
  timer: NodeJS.Timeout | undefined;
}

/** `pseudonyms`: the secret of this installation. `database`: it is asked instead of the files of those that it holds. */
export function openSnapshotPool(folder: string, pseudonyms?: string, database?: SnapshotDatabase): OlderSnapshots {
  /** The longest unused first. */
  const open = new Map<string, PooledSnapshot>();
  const closing = new Set<Leased>();
  /** Forgotten at once, closed when no request needs it any more. */
  const retire = (id: string, { lease, timer }: PooledSnapshot): void => {
    clearTimeout(timer);
    open.delete(id);
    closing.add(lease);
    lease.retire();
  };
  const begin = (id: string): PooledSnapshot => {
    const openBoth = async () => {
      const whole = await openSnapshot(folder, id, limits);
      questionsGiveWay();
      try {
        const engine = database && (await openHeld(database, folder, id));
        return { id, published_at: await publishedAt(folder, id), engine: engine ?? whole, whole, pseudonyms };
      } catch (error) {
        await whole.close();
        throw error;
      }
    };
    // Others may request it while it is being opened for a client that disconnects.
    const opened = outsideRequests(openBoth);
    const lease: Leased = new Leased(() =>
      opened
        .then(({ whole }) => whole.close())
        .catch(() => undefined)
        .finally(() => closing.delete(lease)),
    );
    const entry: PooledSnapshot = { opened, lease, timer: undefined };
    lease.onIdle(() => later(id, entry));
    opened.catch(() => open.get(id) === entry && retire(id, entry));
    return entry;
  };
  const later = (id: string, entry: PooledSnapshot): void => {
    clearTimeout(entry.timer);
    if (open.get(id) === entry) entry.timer = setTimeout(() => retire(id, entry), idle_ms).unref();
  };
  return {
    list: () => storedSnapshots(folder),
    lost: () => lostSnapshots(folder),
    spare: () => spareBytes(folder),
    async open(id) {
      const entry = open.get(id) ?? begin(id);
      entry.lease.hold();
      open.delete(id);
      open.set(id, entry);
      if (entry.lease.isHeld) clearTimeout(entry.timer);
      else later(id, entry);
      for (const [oldest, unused] of open) if (open.size > most_open) retire(oldest, unused);
      return entry.opened;
    },
    forget() {
      for (const [id, entry] of open) retire(id, entry);
    },
    async close() {
      for (const [id, entry] of open) retire(id, entry);
      await Promise.all([...closing].map((lease) => lease.close()));
    },
  };
}

/** Nothing where the database does not have the snapshot as it is now. Errors: those of the database. */
async function openHeld(database: SnapshotDatabase, folder: string, id: string): Promise<Engine | undefined> {
  const mark = readRewriteMarker(folder);
  const held = (await database.list()).find((each) => each.id === id && each.rewritten === mark);
  return held && database.open(held);
}
