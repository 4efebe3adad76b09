// The last successful pulls, stored next to the snapshots: updated even if nothing new was published.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from './replace-file.ts';

const lastPull = z.object({
  /** By account. */
  accounts: z.record(
    z.string(),
    z.object({
      pull_id: z.string(),
      /** ISO instant. */
      ended_at: z.iso.datetime(),
      /** First local day of the archive that is in the warehouse, or null. */
      pulled_since: z.iso.date().nullable(),
      /** Seconds by which the source's clock was ahead of this machine's; null when it did not say. */
      clock_skew: z.number().nullable().default(null),
    }),
  ),
  /** The newest snapshot at that time: it has everything that the pulls brought. */
  snapshot_id: z.string(),
});
export type LastPull = z.infer<typeof lastPull>;

const fileOf = (folder: string): string => join(folder, 'last-pull.json');

export function writeLastPull(folder: string, last: LastPull): void {
  replaceFile(fileOf(folder), `${JSON.stringify(last)}\n`);
}

/** Null if it is missing or unreadable: then the newest snapshot applies. */
export function readLastPull(folder: string): LastPull | null {
  try {
    return lastPull.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')));
  } catch {
    return null;
  }
}
