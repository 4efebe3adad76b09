// Older snapshots, opened when somebody asks about the past: a few stay open, and not for long.
import type { Engine } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/open.ts';
import { fileOf, instantOf, shelved, type Shelved } from '#warehouse/shelf.ts';

export interface OlderSnapshot {
  id: string;
  /** ISO instant. */
  published_at: string;
  engine: Engine;
}

export interface OlderSnapshots {
  list(): Promise<Shelved[]>;
  /** Opens it, or gives the one that is open. Errors: DamagedWarehouse when it is gone. */
  open(id: string): Promise<OlderSnapshot>;
  close(): Promise<void>;
}

const most_open = 3;
/** After its last use a snapshot stays open this long; questions that began on it may end on it. */
const idle_ms = 60_000;
const memory = '512MB';

interface Open {
  opened: Promise<OlderSnapshot>;
  timer: NodeJS.Timeout;
}

export function openShelf(folder: string): OlderSnapshots {
  /** The longest unused first. */
  const open = new Map<string, Open>();
  const closing = new Set<Open>();
  const close = async (entry: Open): Promise<void> => {
    clearTimeout(entry.timer);
    closing.delete(entry);
    await entry.opened.then(({ engine }) => engine.close()).catch(() => undefined);
  };
  /** Forgotten at once, closed when nobody can be using it any more. */
  const retire = (id: string, entry: Open): void => {
    clearTimeout(entry.timer);
    open.delete(id);
    closing.add(entry);
    entry.timer = setTimeout(() => void close(entry), idle_ms).unref();
  };
  const later = (id: string): NodeJS.Timeout =>
    setTimeout(() => {
      const entry = open.get(id);
      open.delete(id);
      if (entry) void close(entry);
    }, idle_ms).unref();
  return {
    list: () => shelved(folder),
    async open(id) {
      const known = open.get(id);
      if (known) clearTimeout(known.timer);
      const opened =
        known?.opened ??
        openWarehouse(fileOf(folder, id), { readOnly: true, memory }).then((engine) => ({
          ...{ id, published_at: instantOf(id), engine },
        }));
      open.delete(id);
      open.set(id, { opened, timer: later(id) });
      for (const [oldest, entry] of open) if (open.size > most_open) retire(oldest, entry);
      try {
        return await opened;
      } catch (error) {
        const failed = open.get(id);
        if (failed?.opened === opened) {
          clearTimeout(failed.timer);
          open.delete(id);
        }
        throw error;
      }
    },
    async close() {
      await Promise.all([...open.values(), ...closing].map(close));
      open.clear();
    },
  };
}
