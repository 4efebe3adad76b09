// Replaces the warehouse with a finished file by one rename; the old file keeps a name until it is no longer needed.
import { existsSync } from 'node:fs';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The file that was replaced; it goes with the first publication of the new one. */
export const beforeOf = (file: string): string => `${file}.before`;
const markOf = (file: string): string => `${file}.unpublished`;

/** Waits until a file, or the names in a folder, are on the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A file that is opened for writing, with what belongs to it; also when a killed process left only some of that. */
export async function remove(file: string): Promise<void> {
  for (const ending of ['', '.wal', '.lines', '.tmp']) await rm(`${file}${ending}`, { force: true, recursive: true });
}

/**
 * `fresh` (closed) takes the place of `file` (closed, or not there). A kill at any moment leaves the one or the other.
 * @throws when `file` was not closed cleanly: its log would be taken for that of the new file.
 */
export async function swapIn(fresh: string, file: string): Promise<void> {
  for (const path of [fresh, file])
    if (existsSync(`${path}.wal`)) throw new Error(`${path} was not closed cleanly: ${path}.wal is still there`);
  await flush(fresh);
  await markUnpublished(file);
  await remove(beforeOf(file));
  if (existsSync(file)) await link(file, beforeOf(file));
  await rename(fresh, file);
  await flush(dirname(file));
  await remove(fresh); // temporary files of a killed process
}

/** The file contains unpublished changes: it must be published even without other news. */
export const isUnpublished = (file: string): boolean => existsSync(markOf(file));

export const markUnpublished = (file: string): Promise<void> => writeFile(markOf(file), '');

/** Marks the content of the file as published. */
export async function markPublished(file: string): Promise<void> {
  if (!isUnpublished(file)) return;
  await remove(beforeOf(file));
  await rm(markOf(file));
}
