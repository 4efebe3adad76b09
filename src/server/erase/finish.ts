// Finishes an erasure that was killed, of a person or of old data: the next writer does it first.
import type { Erasure } from '#api/contract/erasures.ts';
import type { Folder } from '../folder.ts';
import { endPerson } from './erase.ts';
import { readJob } from './job.ts';
import type { ErasureProgress } from './rewrite.ts';
import { endRetention } from './retain.ts';
import type { Retention } from './retentions.ts';

export type Ended = { erasure: Erasure } | { retention: Retention };

/** Nothing when nothing was cut off. Errors: Stopped. */
export async function endErasure(folder: Folder, progress: ErasureProgress): Promise<Ended | undefined> {
  const job = readJob(folder);
  if (!job) return undefined;
  if (job.old) return { retention: await endRetention(folder, job, job.old, progress) };
  return { erasure: await endPerson(folder, job, progress) };
}
