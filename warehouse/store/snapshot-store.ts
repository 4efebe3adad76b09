// The published snapshots of a folder: which there are, how large they are, and removing those that the rule lets go.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Published } from '../engine.ts';
import { extension } from '../engines/default.ts';
import { pins } from './pins.ts';
import { toRemove } from './retention.ts';

/** A snapshot of the folder. */
export interface StoredSnapshot extends Published {
  bytes: number;
  /** Why it is pinned; null when it is not. */
  pinned: string | null;
}

export const fileOf = (folder: string, id: string): string => join(folder, 'snapshots', `${id}.${extension}`);

/** `20261121-015300-123`: sorts by time. */
export const idOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replaceAll(/[-:Z]/g, '').replace('T', '-').replace('.', '-');

/** The instant that an id was made from, ISO. */
export const instantOf = (id: string): string =>
  id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z');

/** Ids of the snapshots in a folder, oldest first. */
export async function snapshots(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'snapshots')).catch(() => []);
  return names
    .filter((name) => /^\d{8}-\d{6}-\d{3}\.\w+$/.test(name) && name.endsWith(`.${extension}`))
    .map((name) => name.slice(0, -extension.length - 1))
    .sort();
}

/** The newest snapshot of a folder, or null. Reads names only. */
export async function newest(folder: string): Promise<Published | null> {
  const id = (await snapshots(folder)).at(-1);
  return id === undefined ? null : { id, published_at: instantOf(id), file: fileOf(folder, id) };
}

/** All snapshots of the folder, oldest first. Errors: DamagedWarehouse for a broken list of pins. */
export async function storedSnapshots(folder: string): Promise<StoredSnapshot[]> {
  const pinned = await pins(folder);
  const found: StoredSnapshot[] = [];
  for (const id of await snapshots(folder)) {
    const file = fileOf(folder, id);
    const size = await stat(file).catch(() => null); // TRICKY: the writer may remove it meanwhile
    if (size) found.push({ id, published_at: instantOf(id), file, bytes: size.size, pinned: pinned[id] ?? null });
  }
  return found;
}

/** Applies the rule of retention.ts. `now` in milliseconds, `space` in bytes. Returns the ids that are gone. */
export async function tidy(folder: string, now: number, space: number): Promise<string[]> {
  const kept = (await storedSnapshots(folder)).map(({ id, published_at, bytes, pinned }) => ({
    ...{ id, bytes, published: Date.parse(published_at), is_pinned: pinned !== null },
  }));
  const gone = toRemove(kept, now, space);
  for (const id of gone) await rm(fileOf(folder, id), { force: true });
  return gone;
}
