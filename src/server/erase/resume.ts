// Before anything else is written: an erasure that a kill has cut off is ended.
import type { Folder } from '../folder.ts';
import { say } from '../terminal.ts';
import { endErasure } from './erase.ts';

/** Errors: Stopped. */
export async function resumeErasure(folder: Folder): Promise<void> {
  const ended = await endErasure(folder, () => undefined);
  if (ended) say(`an erasure was cut off: it is ended now (${ended.counts.chats} chats, ${ended.id})`);
}
