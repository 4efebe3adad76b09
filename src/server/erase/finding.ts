// For the doctor: an erasure or a retention that was cut off. What it was to remove is there until the next command that writes.
import { BusyWarehouse } from '#warehouse/errors.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import type { Finding } from '../doctor-finding.ts';
import type { Folder } from '../folder.ts';
import { readJob } from './job.ts';

/** Nothing where none was begun. */
export async function erasureFinding(folder: Folder): Promise<Finding[]> {
  try {
    const job = readJob(folder);
    if (!job) return [];
    const what = job.old ? 'retention' : 'erasure';
    const begun = `one that began at ${job.begun_at}`;
    if (await isWriting(folder)) return [{ what, is_well: true, words: `${begun} is under way` }];
    const command = job.old ? 'retain' : 'erase';
    const words =
      `${begun} was cut off, and what it was to remove may still be there: the next command that writes ends it,` +
      ` 'npx chatledger pull' or '${command}'`;
    return [{ what, is_well: false, words }];
  } catch (error) {
    return [{ what: 'erasure', is_well: false, words: error instanceof Error ? error.message : String(error) }];
  }
}

/** Whoever erases has the raw archive open. */
async function isWriting({ raw }: Folder): Promise<boolean> {
  try {
    await (await openRawArchive(raw, { readOnly: true })).close();
    return false;
  } catch (error) {
    return error instanceof BusyWarehouse;
  }
}
