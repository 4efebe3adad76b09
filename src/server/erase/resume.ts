// Before anything else is written: an erasure that a kill has cut off is ended.
import type { Folder } from '../folder.ts';
import { say } from '../terminal.ts';
import { endErasure, type Ended } from './finish.ts';

/** Errors: Stopped. */
export async function resumeErasure(folder: Folder): Promise<void> {
  const ended = await endErasure(folder, () => undefined);
  if (ended) say(sentenceOf(ended));
}

export const sentenceOf = (ended: Ended): string =>
  'retention' in ended
    ? `a retention was cut off: it is ended now (${ended.retention.id})`
    : `an erasure was cut off: it is ended now (${ended.erasure.counts.chats} chats, ${ended.erasure.id})`;
