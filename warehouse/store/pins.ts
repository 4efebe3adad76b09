// Snapshots that are kept because something refers to them: `published/pins.json`, ids with the reason.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { DamagedWarehouse } from '../errors.ts';

/** Snapshot id -> why it stays, e.g. the digest that names it. */
export type SnapshotPins = Readonly<Record<string, string>>;

const fileOf = (folder: string): string => join(folder, 'pins.json');

const remedy = 'put it back from a backup; where it is removed, snapshots that digests name go with the others';

/** The pins of a folder. Errors: DamagedWarehouse if the file is invalid: nothing is removed on a guess. */
export async function pins(folder: string): Promise<SnapshotPins> {
  const text = await readFile(fileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new DamagedWarehouse(fileOf(folder), `it is not readable as JSON: ${remedy}`);
  }
  const isPins =
    typeof found === 'object' &&
    found !== null &&
    !Array.isArray(found) &&
    Object.values(found).every((reason) => typeof reason === 'string');
  if (!isPins) throw new DamagedWarehouse(fileOf(folder), `it must hold {"<snapshot id>": "<reason>"}: ${remedy}`);
  return found as SnapshotPins;
}

async function write(folder: string, next: SnapshotPins): Promise<void> {
  const fresh = `${fileOf(folder)}.${process.pid}.new`;
  await writeFile(fresh, `${JSON.stringify(next, null, 2)}\n`);
  await rename(fresh, fileOf(folder));
}

/** One change after another: each reads the file and writes it again. */
const changing = new PQueue({ concurrency: 1 });

const change = (folder: string, to: (before: SnapshotPins) => SnapshotPins): Promise<void> =>
  changing.add(async () => write(folder, to(await pins(folder))));

/**
 * Keeps a snapshot until it is unpinned; a second pin replaces the reason. Of several processes one at a time may call it. Errors: those of pins.
 */
export const pin = (folder: string, id: string, reason: string): Promise<void> =>
  change(folder, (before) => ({ ...before, [id]: reason }));

/** As `pin`. Errors: those of pins. */
export const unpin = (folder: string, ...ids: readonly string[]): Promise<void> =>
  change(folder, (before) => Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id))));
