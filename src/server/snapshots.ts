// The snapshot that is being served: opened read-only, swapped when a newer one is published.
import { rename } from 'node:fs/promises';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { openWarehouse } from '#warehouse/open.ts';
import { newest } from '#warehouse/shelf.ts';
import type { Engine, Published } from '#warehouse/engine.ts';
import { readLastPull, type LastPull } from './last-pull.ts';
import { openShelf, type OlderSnapshots } from './shelf.ts';

export interface Served {
  id: string;
  /** ISO instant. */
  published_at: string;
  engine: Engine;
  /** ISO instant of the last pull in it that brought the whole range up to date, or null. */
  last_success_at: string | null;
}

export interface Snapshots {
  current(): Served | null;
  /** Those before it, for questions about the past. */
  older: OlderSnapshots;
  /** ISO instant of the last pull after which the whole range was in the served snapshot, or null. */
  last_success_at(): string | null;
  /** Looks for a newer snapshot; true when one was opened. */
  refresh(): Promise<boolean>;
  close(): Promise<void>;
}

/** Questions that began on the old snapshot may end on it. */
const grace_ms = 30_000;

/** `since` is the first day that must be in a snapshot before the range counts as whole. */
export function openSnapshots(folder: string, since: () => string): Snapshots {
  let served: Served | null = null;
  let last: LastPull | null = null;
  const older = openShelf(folder);
  let under_way: Promise<boolean> | null = null;
  const retired = new Map<Engine, NodeJS.Timeout>();
  const look = async (): Promise<boolean> => {
    last = readLastPull(folder);
    const published = await newest(folder);
    if (published === null || published.id === served?.id) return false;
    const old = served;
    try {
      served = await open(published, since());
    } catch (error) {
      if (!(error instanceof DamagedWarehouse)) throw error;
      await setAside(published.file, error);
      return look();
    }
    if (old) retired.set(old.engine, setTimeout(() => void retire(old.engine), grace_ms).unref());
    return true;
  };
  const retire = async (engine: Engine): Promise<void> => {
    retired.delete(engine);
    await engine.close();
  };
  return {
    current: () => served,
    older,
    last_success_at() {
      if (!served) return null;
      const isServed = last !== null && last.snapshot_id <= served.id;
      const isWhole = last?.pulled_since != null && last.pulled_since <= since();
      return last && isServed && isWhole ? last.ended_at : served.last_success_at;
    },
    refresh: () => (under_way ??= look().finally(() => (under_way = null))),
    async close() {
      for (const [engine, timer] of retired) {
        clearTimeout(timer);
        await engine.close();
      }
      retired.clear();
      await older.close();
      await served?.engine.close();
      served = null;
    },
  };
}

/** A damaged file is kept under another name, and the snapshot before it is served. */
async function setAside(file: string, error: DamagedWarehouse): Promise<void> {
  await rename(file, `${file}.damaged`);
  process.stderr.write(`${error.message}: set aside as ${file}.damaged, the snapshot before it is served\n`);
}

async function open({ id, published_at, file }: Published, since: string): Promise<Served> {
  const engine = await openWarehouse(file, { readOnly: true });
  const [pulled] = await engine.query(
    `select max(ended_at) as last_success_at
     from ledger.pulls
     where state = 'done'
       and (select min(day) from ledger.periods where source = 'archive' and state = 'pulled') <= ${engine.dialect.literal(since, 'date')}`,
  );
  return { id, engine, published_at, last_success_at: pulled?.last_success_at ? String(pulled.last_success_at) : null };
}
