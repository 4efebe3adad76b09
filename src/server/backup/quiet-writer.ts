// Holds the writer's lock with its files at rest, so that they can be read as bytes.
import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyWarehouse } from '#warehouse/errors.ts';
import type { Store } from '#warehouse/engine.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import { isAsClosed, markCleanShutdown } from '../clean-shutdown.ts';
import type { Folder } from '../folder.ts';
import { openWriter } from '../writer.ts';

/** What a writer before left unfinished is finished first. `waiting` is called once, when another process writes. Errors: BusyWarehouse. */
export async function withQuietWriter<T>(
  folder: Folder,
  wait: { seconds: number; waiting: (error: BusyWarehouse) => void },
  work: (handleOf: (file: string) => FileHandle | undefined) => Promise<T>,
): Promise<T> {
  const until = performance.now() + wait.seconds * 1000;
  for (let is_told = false; ; is_told = true)
    try {
      return await once(folder, work);
    } catch (error) {
      if (!(error instanceof BusyWarehouse) || performance.now() >= until) throw error;
      if (!is_told) wait.waiting(error);
      await pause(500);
    }
}

/** Another writer came in between, and was cut off. */
class Unsettled extends BusyWarehouse {}

async function once<T>(
  folder: Folder,
  work: (handleOf: (file: string) => FileHandle | undefined) => Promise<T>,
): Promise<T> {
  await (await openWriter(folder)).close();
  const files = [folder.raw, folder.warehouse].filter((file) => existsSync(file));
  // TRICKY: closing a file lets go all locks that this process has on it, so these are opened before the lock and closed after it.
  const handles = new Map<string, FileHandle>();
  let lock: Store | undefined;
  try {
    for (const file of files) handles.set(file, await open(file, 'r'));
    lock = await openRawArchive(folder.raw);
    if (!isAsClosed(folder.warehouse)) throw new Unsettled(folder.warehouse, 'another writer came and went');
    return await work((file) => handles.get(file));
  } finally {
    await lock?.close();
    if (lock) markCleanShutdown(files);
    for (const handle of handles.values()) await handle.close();
  }
}
