// Opens the raw archive and the app's database together, with other writers locked out.
import type { DatabaseSync } from 'node:sqlite';
import type { RawArchive } from '#etl/raw/archive.ts';
import { accountsHeld } from '#warehouse/raw/responses.ts';
import { Stopped } from '../errors.ts';
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

/**
 * Accounts whose people can be found: the `configured` ones, and those that were pulled before they were taken out of the settings.
 * Errors: Stopped when `wanted` is none of them.
 */
export async function accountsKnown(
  configured: readonly string[],
  raw: RawArchive,
  wanted: string | undefined,
): Promise<string[]> {
  const known = [...new Set([...configured, ...(await accountsHeld(raw.engine))])];
  if (wanted === undefined || known.includes(wanted)) return known;
  throw new Stopped(`--account ${wanted} is no account; choose from ${known.join(', ')}`);
}
