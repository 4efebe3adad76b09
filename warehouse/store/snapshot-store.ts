// The published snapshots of a folder: lists them, measures their size and removes those that the retention rule drops.
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Published, Store } from '../engine.ts';
import { extension, type OpenOptions } from '../engines/default.ts';
import { DamagedWarehouse } from '../errors.ts';
import { openWarehouse } from './open.ts';
import { readLost, writeLost } from './lost.ts';
import { isPacked, packedEnding, partsIn, readCatalogue } from './packed/catalogue.ts';
import { retire, sweep } from './packed/sweep.ts';
import { pins, unpin, type SnapshotPins } from './pins.ts';
import { redated } from './redated.ts';
import { toRemove, type RetainedSnapshot } from './retention.ts';
import { tidySpares } from './spare.ts';

/** A snapshot in the folder. */
export interface StoredSnapshot extends Published {
  /** Bytes beyond the parts that it shares with newer snapshots. */
  bytes: number;
  /** Why it is pinned, or null. */
  pinned: string | null;
}

/** Path of a published snapshot. */
export const fileOf = (folder: string, id: string): string => join(folder, 'snapshots', `${id}.${extension}`);

/** Path of a packed snapshot. */
export const packedFileOf = (folder: string, id: string): string => join(folder, 'snapshots', `${id}${packedEnding}`);

/** Current path: of the packed file if there is one, otherwise of the published file. */
export const storedFile = (folder: string, id: string): string =>
  existsSync(packedFileOf(folder, id)) ? packedFileOf(folder, id) : fileOf(folder, id);

/** `20261121-015300-123`: sorts by time. */
export const idOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replaceAll(/[-:Z]/g, '').replace('T', '-').replace('.', '-');

/** The instant encoded in an id, ISO: that of the clock then. */
export const instantOf = (id: string): string =>
  id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z');

/** Says when a snapshot was published, ISO: as its id does, unless the clock ran ahead then. */
export async function instantsIn(folder: string): Promise<(id: string) => string> {
  const others = await redated(folder);
  return (id) => {
    const at = others.get(id);
    return at === undefined ? instantOf(id) : new Date(at).toISOString();
  };
}

/** When one snapshot was published, ISO. */
export const publishedAt = async (folder: string, id: string): Promise<string> => (await instantsIn(folder))(id);

/**
 * Opens a snapshot for reading, packed or not. TRICKY: it may be packed between being found and being opened. Errors: those of
 * openWarehouse.
 */
export async function openSnapshot(folder: string, id: string, options: OpenOptions = {}): Promise<Store> {
  const file = storedFile(folder, id);
  try {
    return await openWarehouse(file, { ...options, readOnly: true });
  } catch (error) {
    const now = storedFile(folder, id);
    if (now === file) throw error;
    return openWarehouse(now, { ...options, readOnly: true });
  }
}

const endings = [`.${extension}`, packedEnding] as const;

async function idsEnding(folder: string, wanted: readonly string[]): Promise<string[]> {
  const names = await readdir(join(folder, 'snapshots')).catch(() => []);
  const ids = names.flatMap((name) => {
    const [, id = '', ending = ''] = /^(\d{8}-\d{6}-\d{3})(\..+)$/.exec(name) ?? [];
    return wanted.includes(ending) ? [id] : [];
  });
  const when = await instantsIn(folder);
  const keyed = [...new Set(ids)].map((id) => ({ id, key: `${when(id)} ${id}` }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ id }) => id);
}

/** Ids of the snapshots in a folder, oldest first. */
export const snapshots = (folder: string): Promise<string[]> => idsEnding(folder, endings);

/** Ids of the snapshots that are still whole files, as published. */
export const wholeSnapshots = (folder: string): Promise<string[]> => idsEnding(folder, [`.${extension}`]);

/** The newest snapshot that is a whole file, or null. Reads only file names. */
export async function newest(folder: string): Promise<Published | null> {
  const id = (await wholeSnapshots(folder)).at(-1);
  return id === undefined ? null : { id, published_at: await publishedAt(folder, id), file: fileOf(folder, id) };
}

/** All snapshots of the folder, oldest first. Errors: DamagedWarehouse for a corrupt list of pins. */
export async function storedSnapshots(folder: string): Promise<StoredSnapshot[]> {
  const pinned = await pins(folder);
  const when = await instantsIn(folder);
  const found: StoredSnapshot[] = [];
  const counted = new Set<string>();
  for (const id of (await snapshots(folder)).reverse()) {
    const file = storedFile(folder, id);
    const bytes = await bytesOf(file, counted);
    if (bytes !== null) found.unshift({ id, published_at: when(id), file, bytes, pinned: pinned[id] ?? null });
  }
  return found;
}

/** `counted`: parts of newer snapshots; this one's are added. Null if it has been removed meanwhile. */
async function bytesOf(file: string, counted: Set<string>): Promise<number | null> {
  const size = await stat(file).catch(() => null); // TRICKY: the writer may remove it meanwhile
  if (!size || !isPacked(file)) return size?.size ?? null;
  const catalogue = await readCatalogue(file).catch((error: unknown) => {
    if (error instanceof DamagedWarehouse) return null; // reported to whoever asks for this snapshot
    throw error;
  });
  let bytes = size.size;
  for (const part of catalogue ? partsIn(catalogue) : []) {
    if (!counted.has(part.file)) bytes += part.bytes;
    counted.add(part.file);
  }
  return bytes;
}

/**
 * Pins of existing snapshots; pins of snapshots dropped for lack of space are removed. Of several processes one at a time may call it. TRICKY:
 * reads the pins first, or the pin of a snapshot published meanwhile would be removed. Errors: those of pins.
 */
export async function standingPins(folder: string): Promise<SnapshotPins> {
  const all = await pins(folder);
  const there = new Set(await snapshots(folder));
  const gone = Object.keys(all).filter((id) => !there.has(id));
  if (gone.length > 0) await unpin(folder, ...gone);
  return Object.fromEntries(Object.entries(all).filter(([id]) => there.has(id)));
}

/** Snapshots that were dropped only for lack of space. */
export interface LostSnapshots {
  count: number;
  /** ISO instants at which the first and the last of them were published. */
  first: string;
  last: string;
  /** Why the pinned ones were to be kept, oldest first. */
  pinned: string[];
}

/** Errors: DamagedWarehouse. */
export async function lostSnapshots(folder: string): Promise<LostSnapshots | null> {
  const when = await instantsIn(folder);
  const lost = Object.entries(await readLost(folder)).sort(([one], [other]) => (when(one) < when(other) ? -1 : 1));
  const [first, last] = [lost[0]?.[0], lost.at(-1)?.[0]];
  if (first === undefined || last === undefined) return null;
  const pinned = lost.flatMap(([, gone]) => gone.pinned ?? []);
  return { count: lost.length, first: when(first), last: when(last), pinned };
}

/** Applies the rule of retention.ts. `now` in milliseconds, `space` in bytes. Returns the ids of the removed snapshots. */
export async function tidy(folder: string, now: number, space: number): Promise<string[]> {
  const stored = await storedSnapshots(folder);
  const kept = stored.map(({ id, published_at, bytes, pinned }) => retained(id, published_at, bytes, pinned !== null));
  const gone = toRemove(kept, now, space);
  const pinned = new Map(stored.map((snapshot) => [snapshot.id, snapshot.pinned]));
  for (const id of gone) {
    await rm(fileOf(folder, id), { force: true });
    if (existsSync(packedFileOf(folder, id))) await retire(packedFileOf(folder, id), now);
  }
  const taken = kept.reduce((sum, { id, bytes }) => sum + (gone.includes(id) ? 0 : bytes), 0);
  await tidySpares(folder, space - taken);
  await rememberLost(folder, kept, new Map(gone.map((id) => [id, pinned.get(id) ?? null])), now);
  await sweep(folder, now);
  return gone;
}

const retained = (id: string, published_at: string, bytes: number, is_pinned: boolean): RetainedSnapshot => ({
  ...{ id, bytes, published: Date.parse(published_at), is_pinned },
});

/** Lost pins are remembered as long as a digest could have been sent again. Milliseconds. */
const pinned_told = 400 * 86_400_000;

/** Adds `gone` (id and reason of the pin) to the list, and drops entries that would have expired by now. */
async function rememberLost(
  folder: string,
  kept: readonly RetainedSnapshot[],
  gone: ReadonlyMap<string, string | null>,
  now: number,
): Promise<void> {
  const before = await readLost(folder);
  const when = await instantsIn(folder);
  const isHeld = (id: string, pinned: string | null): boolean =>
    pinned !== null && Date.parse(when(id)) > now - pinned_told;
  const lost = Object.entries(before).map(([id, { pinned }]) => retained(id, when(id), 0, isHeld(id, pinned)));
  const aged = new Set(toRemove([...kept, ...lost], now, Infinity));
  const at = new Date(now).toISOString();
  const all = [...Object.entries(before), ...[...gone].map(([id, pinned]) => [id, { at, pinned }] as const)];
  const left = all.filter(([id]) => !aged.has(id));
  if (left.length > 0 || Object.keys(before).length > 0) await writeLost(folder, Object.fromEntries(left));
}
