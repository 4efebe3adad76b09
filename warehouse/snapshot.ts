// Publishing: an immutable copy of the warehouse beside the newest one, and one name that always points to the newest.
import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, Published } from './engine.ts';
import { extension } from './engines/default.ts';
import { metricViews } from './views.ts';

/** How many snapshots are kept, the newest included. */
const kept = 3;

/** The name under which analysts find the newest snapshot. */
export const newestName = `chatledger.${extension}`;

const fileOf = (folder: string, id: string): string => join(folder, 'snapshots', `${id}.${extension}`);

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** `20261121-015300-123`: sorts by time. */
const idOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replaceAll(/[-:Z]/g, '').replace('T', '-').replace('.', '-');

/** Ids of the snapshots in a folder, oldest first. */
export async function snapshots(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'snapshots')).catch(() => []);
  return names
    .filter((name) => /^[\d-]+\.\w+$/.test(name) && name.endsWith(`.${extension}`))
    .map((name) => name.slice(0, -extension.length - 1))
    .sort();
}

/** The instant that an id was made from, ISO. */
const instantOf = (id: string): string =>
  id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z');

/** The newest snapshot of a folder, or null. Reads names only. */
export async function newest(folder: string): Promise<Published | null> {
  const id = (await snapshots(folder)).at(-1);
  return id === undefined ? null : { id, published_at: instantOf(id), file: fileOf(folder, id) };
}

/** A time that gives the newest id of the folder, also when the clock was set back. Milliseconds. */
async function freeTime(folder: string, milliseconds: number): Promise<number> {
  const last = (await snapshots(folder)).at(-1);
  return last === undefined ? milliseconds : Math.max(milliseconds, Date.parse(instantOf(last)) + 1);
}

/**
 * Writes a file of its own under `<folder>/snapshots` and points the newest name at it by rename: readers see the old
 * file or the new one, never half of one. Keeps the newest 3. `now` in milliseconds.
 */
export async function publish(engine: Engine, folder: string, now: number): Promise<Published> {
  const shelf = join(folder, 'snapshots');
  await mkdir(shelf, { recursive: true });
  for (const name of await readdir(shelf))
    if (name.endsWith('.part') || name.includes('.part.')) await rm(join(shelf, name));
  const time = await freeTime(folder, now);
  const id = idOf(time);
  const published_at = new Date(time).toISOString();
  const part = join(shelf, `${id}.part`);
  const file = fileOf(folder, id);
  const { dialect } = engine;
  await engine.copyTo(part, async (copy) => {
    await copy.inside([
      `insert into ledger.snapshot values (${dialect.literal(id, 'text')}, ${dialect.literal(published_at, 'instant')})`,
      ...(await metricViews(engine, Math.floor(time / 1000))),
    ]);
  });
  await flush(part);
  await rename(part, file);
  const fresh = join(folder, `${newestName}.part`);
  await rm(fresh, { force: true });
  await link(file, fresh);
  await rename(fresh, join(folder, newestName));
  await flush(shelf);
  await flush(folder);
  for (const old of (await snapshots(folder)).slice(0, -kept)) await rm(fileOf(folder, old), { force: true });
  return { id, published_at, file };
}
