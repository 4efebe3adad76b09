// Swaps the rewritten files in for those in use. Each step can be repeated: after a kill the next writer does the rest.
import { existsSync } from 'node:fs';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { results_folder } from '#digests/kept-results.ts';
import { partsIn, isPacked, readCatalogue } from '#warehouse/store/packed/catalogue.ts';
import { newest } from '#warehouse/store/snapshot-store.ts';
import { newestName, publish } from '#warehouse/store/snapshot.ts';
import { flush, isUnpublished, markUnpublished, remove, beforeOf } from '#warehouse/store/swap.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { markCleanShutdown } from '../clean-shutdown.ts';
import { clock } from '../clock.ts';
import { bringDatabase } from '../database.ts';
import { exitCodes, Stopped } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { tell } from '../ipc.ts';
import { forgetNotes } from '../ledger-note.ts';
import { markSnapshotsRewritten } from '../rewrite-marker.ts';
import { heardSkew } from '../source-clock.ts';
import { removeFiles, unusedFiles } from './leftovers.ts';
import type { ErasureJob } from './job.ts';
import { freshPaths } from './rewrite.ts';

/** `raw` is open as the writer's lock; it is closed at the end, when the new file has taken its place. */
export async function place(
  folder: Folder,
  raw: RawArchive,
  { id, begun_at, space }: Pick<ErasureJob, 'id' | 'begun_at' | 'space'>,
): Promise<void> {
  const fresh = freshPaths(folder);
  await placeWarehouse(folder, fresh.warehouse);
  await placeSnapshots(folder, fresh.published);
  removeFiles([...unusedFiles(folder), join(folder.path, 'digests', results_folder)]);
  await removeParts(folder);
  // After a database did not answer the rest is done: this is published already.
  if (isUnpublished(folder.warehouse)) await publishNewest(folder, space);
  markSnapshotsRewritten(folder.published, { id, begun_at });
  const unpaid = await bringDatabase(folder).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  tell({ kind: 'published' });
  // Last, because whoever opens the new file may write.
  await raw.close();
  if (existsSync(fresh.raw)) {
    await flush(fresh.raw);
    await remove(`${folder.raw}.wal`);
    await rename(fresh.raw, folder.raw);
    await flush(dirname(folder.raw));
  }
  markCleanShutdown([folder.warehouse, folder.raw]);
  if (unpaid) throw debtOf(unpaid);
}

const debtOf = ({ message }: Error): Stopped =>
  new Stopped(
    `everything in the data folder is written anew, and this is not done: ${message}. The database still has what is to go, until the next ` +
      'pull, erase or retain reaches it; each of them does that first',
    exitCodes.unreachable,
  );

async function placeWarehouse(folder: Folder, fresh: string): Promise<void> {
  if (!existsSync(fresh)) return;
  await flush(fresh);
  await markUnpublished(folder.warehouse);
  await rm(`${folder.warehouse}.wal`, { force: true });
  await rename(fresh, folder.warehouse);
  await remove(beforeOf(folder.warehouse));
  await flush(dirname(folder.warehouse));
}

/** Parts first: a snapshot must find the parts it lists. */
async function placeSnapshots(folder: Folder, fresh: string): Promise<void> {
  const [parts, kept] = [join(folder.published, 'parts'), join(folder.published, 'snapshots')];
  for (const name of await namesIn(join(fresh, 'parts')))
    if (!name.endsWith('.part') && !existsSync(join(parts, name)))
      await link(join(fresh, 'parts', name), join(parts, name));
  if (existsSync(parts)) await flush(parts);
  for (const name of await namesIn(join(fresh, 'snapshots'))) {
    if (name.endsWith('.part')) continue;
    await flush(join(fresh, 'snapshots', name));
    await rename(join(fresh, 'snapshots', name), join(kept, name));
  }
  await flush(kept);
  const last = await newest(folder.published);
  if (last === null) return;
  // The name for everybody is another name of the newest file.
  const name = join(folder.published, newestName);
  await rm(`${name}.part`, { force: true });
  await link(last.file, `${name}.part`);
  await rename(`${name}.part`, name);
  await flush(folder.published);
}

/** Immediately, because the replaced files contain the person. Readers who still use them are told to ask again. */
async function removeParts(folder: Folder): Promise<void> {
  const needed = new Set<string>();
  for (const name of await namesIn(join(folder.published, 'snapshots'))) {
    if (!isPacked(name)) continue;
    const catalogue = await readCatalogue(join(folder.published, 'snapshots', name));
    for (const part of partsIn(catalogue)) needed.add(part.file);
  }
  for (const name of await namesIn(join(folder.published, 'parts')))
    if (!needed.has(name)) await rm(join(folder.published, 'parts', name), { force: true });
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function publishNewest(folder: Folder, space: number): Promise<void> {
  const engine = await openWarehouse(folder.warehouse, writerLimits);
  try {
    await publish(engine, folder.published, clock() * 1000, { space, clock_skew: heardSkew(folder.published) });
  } finally {
    await engine.close();
  }
  forgetNotes(folder.published);
}
