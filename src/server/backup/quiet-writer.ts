// Has the writer's files at rest, so that they can be read as bytes: under the writer's lock, or while a pull that has it rests.
import { existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyWarehouse } from '#warehouse/errors.ts';
import type { Store } from '#warehouse/engine.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import { isAsClosed, markCleanShutdown } from '../clean-shutdown.ts';
import type { Folder } from '../folder.ts';
import { openWriter } from '../writer.ts';
import { askForRest, type RestRequest } from './asking-for-rest.ts';

export interface QuietWait {
  seconds: number;
  /** Called once, when another process writes that does not answer. */
  waiting: (error: BusyWarehouse) => void;
  /** Called once, when a pull is coming to rest. */
  resting: () => void;
}

const look_ms = 250;
/** After a rest that did not last; each next time twice as long, so that a pull that never rests long enough goes on in between. */
const first_pause_ms = 1000;
/** A pull answers sooner, other writers never. */
const silence_ms = 2000;

/**
 * What a writer before left unfinished is finished first. `work` is done anew where the pull that rested ended meanwhile. Errors:
 * BusyWarehouse.
 */
export async function withQuietWriter<T>(
  folder: Folder,
  wait: QuietWait,
  work: (handleOf: (file: string) => FileHandle | undefined) => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const waited = (): number => performance.now() - began;
  let request: RestRequest | undefined;
  let told: 'waiting' | 'resting' | undefined;
  let [ask_from, pause_ms] = [began, first_pause_ms];
  try {
    for (;;) {
      try {
        return await once(folder, work);
      } catch (error) {
        if (!(error instanceof BusyWarehouse) || waited() >= wait.seconds * 1000) throw error;
        if (performance.now() >= ask_from) request ??= askForRest(folder);
        if (request?.isHeard()) {
          if (told !== 'resting') wait.resting();
          told = 'resting';
        } else if (told === undefined && waited() >= silence_ms) {
          wait.waiting(error);
          told = 'waiting';
        }
      }
      const rest = request?.given();
      if (request === undefined || rest === undefined) {
        await pause(look_ms);
        continue;
      }
      const made = await duringRest(folder, { request, rest }, work);
      if (made) return made.value;
      request.end();
      request = undefined;
      ask_from = performance.now() + pause_ms;
      pause_ms *= 2;
    }
  } finally {
    request?.end();
  }
}

/** Undefined: it did not last, so that what was read is of no moment. */
async function duringRest<T>(
  folder: Folder,
  { request, rest }: { request: RestRequest; rest: string },
  work: (handleOf: () => undefined) => Promise<T>,
): Promise<{ value: T } | undefined> {
  if (![folder.raw, folder.warehouse].every(isAsClosed)) return undefined;
  const end = await work(() => undefined).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!(await request.hasLasted(rest))) return undefined;
  if ('error' in end) throw end.error;
  return end;
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
  let is_settled = false;
  try {
    for (const file of files) handles.set(file, await open(file, 'r'));
    lock = await openRawArchive(folder.raw);
    is_settled = isAsClosed(folder.warehouse);
    if (!is_settled) throw new Unsettled(folder.warehouse, 'another writer came and went');
    return await work((file) => handles.get(file));
  } finally {
    await lock?.close();
    if (is_settled) markCleanShutdown(files);
    for (const handle of handles.values()) await handle.close();
  }
}
