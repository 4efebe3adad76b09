// Opens the raw archive and the app's database together, with other writers locked out.
import type { DatabaseSync } from 'node:sqlite';
import type { RawArchive } from '#etl/raw/archive.ts';
import type { Folder } from '../folder.ts';
import { openAppState } from '../user-data/database.ts';
import { openRaw, openWriter } from '../writer.ts';
import { readJob } from './job.ts';

/** `keepRaw`: the caller closes the raw archive. */
export async function within<T>(
  folder: Folder,
  work: (state: DatabaseSync, raw: RawArchive, keepRaw: () => void) => Promise<T>,
): Promise<T> {
  if (readJob(folder)?.phase !== 'placing') await (await openWriter(folder)).close(); // brought forward, mended, without a log
  const raw = await openRaw(folder);
  let isKept = false;
  try {
    const state = openAppState(folder.path);
    try {
      return await work(state, raw, () => (isKept = true));
    } finally {
      state.close();
    }
  } finally {
    if (!isKept) await raw.close();
  }
}
