// The files to search for a person: the warehouse and every kept snapshot, each opened for reading and closed again.
import { existsSync } from 'node:fs';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { openSnapshot, snapshots, storedFile } from '#warehouse/store/snapshot-store.ts';
import type { Folder } from '../folder.ts';

/** The warehouse, or a kept snapshot with its id. */
export interface DataFile {
  snapshot: string | null;
  file: string;
}

/** The warehouse first, then snapshots, oldest first. */
export async function dataFiles(folder: Folder): Promise<DataFile[]> {
  const kept = await snapshots(folder.published);
  return [
    ...(existsSync(folder.warehouse) ? [{ snapshot: null, file: folder.warehouse }] : []),
    ...kept.map((id) => ({ snapshot: id, file: storedFile(folder.published, id) })),
  ];
}

/** Errors: those of openWarehouse. */
export async function reading<T>(folder: Folder, of: DataFile, work: (engine: Store) => Promise<T>): Promise<T> {
  const engine =
    of.snapshot === null
      ? await openWarehouse(of.file, { readOnly: true, ...writerLimits })
      : await openSnapshot(folder.published, of.snapshot, writerLimits);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
