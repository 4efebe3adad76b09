// The file of a snapshot that has since been packed: the next publication reuses it, and writes only what has changed.
import { readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const ending = '.spare';

/** A smaller file is copied as fast. Bytes. */
export const smallestSpare = 16_000_000;
/** Without free space of this many times the file, the disk has better uses for it. */
const least_free = 3;

async function sparesIn(folder: string): Promise<string[]> {
  const kept = join(folder, 'snapshots');
  const names = await readdir(kept).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(kept, name));
}

/** Makes `file`, which nothing lists any more, the spare file in place of an older one, or removes it. */
export async function keepSpare(file: string, smallest: number): Promise<void> {
  const { size } = await stat(file);
  const { bavail, bsize } = await statfs(file);
  if (size >= smallest && bavail * bsize >= least_free * size) await rename(file, `${file}${ending}`);
  else await rm(file);
}

/** Renames the newest spare file to `to`, and removes the others. False if there is none. */
export async function takeSpare(folder: string, to: string): Promise<boolean> {
  const spares = await sparesIn(folder);
  const newest = spares.pop();
  for (const older of spares) await rm(older, { force: true });
  if (newest !== undefined) await rename(newest, to);
  return newest !== undefined;
}

/** Removes all but the newest, and that too if it is larger than `room`. Bytes. */
export async function tidySpares(folder: string, room: number): Promise<void> {
  const spares = await sparesIn(folder);
  const newest = spares.pop();
  for (const older of spares) await rm(older, { force: true });
  if (newest !== undefined && (await stat(newest)).size > room) await rm(newest);
}

/** What spare files take. */
export async function spareBytes(folder: string): Promise<number> {
  const sizes = (await sparesIn(folder)).map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  ); // removed meanwhile
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
