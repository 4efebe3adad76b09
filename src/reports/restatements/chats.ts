// Chats that were added, removed or changed between two snapshots, and what changed in each.
import type { QueryContext } from '#warehouse/query/context.ts';
import { aspects, type Aspect } from '#warehouse/definitions/metric.ts';
import { range } from '#warehouse/periods.ts';
import { contentHashes, type VersionSpan } from '#warehouse/read/versions.ts';
import { versions, type ChatVersion } from './versions.ts';

export type ChatChange = 'new' | 'gone' | Aspect | 'other';

export interface ChangedChat {
  chat_id: string;
  what: readonly ChatChange[];
  /** The older and the newer version, if both exist. */
  versions: readonly ChatVersion[];
}

/** `days`: local archive days whose content changed. */
export async function changedChats(
  older: QueryContext,
  newer: QueryContext,
  days: readonly string[],
): Promise<ChangedChat[]> {
  const before = new Map<string, ChatVersion>();
  const after = new Map<string, ChatVersion>();
  for (const stretch of stretchesOf(days, newer.account.timezone)) {
    const [was, is] = await Promise.all([contentHashes(older, stretch), contentHashes(newer, stretch)]);
    const ids = [...new Set([...was.keys(), ...is.keys()])].filter((id) => was.get(id) !== is.get(id));
    for (const [id, version] of await versions(older, stretch, ids)) before.set(id, version);
    for (const [id, version] of await versions(newer, stretch, ids)) after.set(id, version);
  }
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((chat_id) => {
    const [was, is] = [before.get(chat_id), after.get(chat_id)];
    return { chat_id, what: whatChanged(was, is), versions: [was, is].filter((version) => version !== undefined) };
  });
}

export function whatChanged(was: ChatVersion | undefined, is: ChatVersion | undefined): readonly ChatChange[] {
  if (!was) return ['new'];
  if (!is) return ['gone'];
  const found = aspects.filter((aspect) => was.of[aspect] !== is.of[aspect]);
  return found.length > 0 ? found : ['other'];
}

/** Days that follow each other are read at once. */
function stretchesOf(days: readonly string[], zone: string): VersionSpan[] {
  const stretches: VersionSpan[] = [];
  for (const day of days) {
    const { from, until } = range(zone, day, day);
    const last = stretches.at(-1);
    if (last?.until === from) last.until = until;
    else stretches.push({ from, until });
  }
  return stretches;
}
