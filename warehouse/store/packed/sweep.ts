// Removes parts that no snapshot lists any more.
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedWarehouse } from '../../errors.ts';
import { goneEnding, packedEnding, partsFolder, partsIn, readCatalogue } from './catalogue.ts';

/** Readers of a removed snapshot have finished by then. Milliseconds. */
const grace = 600_000;

/** Unlists the snapshot; parts that only it uses stay until the grace period ends. `now` in milliseconds. */
export async function retire(file: string, now: number): Promise<void> {
  const gone = `${file.slice(0, -packedEnding.length)}${goneEnding}`;
  await rename(file, gone);
  await utimes(gone, now / 1000, now / 1000);
}

/** While a catalogue cannot be read nothing is removed on a guess. `now` in milliseconds. */
export async function sweep(folder: string, now: number): Promise<void> {
  const needed = await partsNeeded(join(folder, 'snapshots'), now);
  const parts = partsFolder(folder);
  for (const name of await readdir(parts).catch(() => []))
    if (needed && !needed.has(name)) await rm(join(parts, name), { force: true });
}

/** Parts of all snapshots, including those removed within the grace period. */
async function partsNeeded(snapshots: string, now: number): Promise<ReadonlySet<string> | null> {
  const needed = new Set<string>();
  for (const name of await readdir(snapshots)) {
    const file = join(snapshots, name);
    if (name.endsWith(goneEnding) && (await stat(file)).mtimeMs < now - grace) await rm(file, { force: true });
    else if (name.endsWith(goneEnding) || name.endsWith(packedEnding)) {
      const catalogue = await readCatalogue(file).catch((error: unknown) => {
        if (error instanceof DamagedWarehouse) return null;
        throw error;
      });
      if (!catalogue) return null;
      for (const part of partsIn(catalogue)) needed.add(part.file);
    }
  }
  return needed;
}
