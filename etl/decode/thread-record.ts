// Decodes one record of a list_archives page: the rows of a thread, or the reason why it is invalid. Pure.
import { threadedChat } from '#contract/threads.ts';
import type { DecodedChat, Provenance } from './chats.ts';
import { checked, type Bounds } from './record.ts';
import { decodeThread } from './threads.ts';
import { complaintOf } from './coerce.ts';

/** Rows of the thread, or the reason why the record is invalid. */
export function decodeThreadRecord(record: unknown, from: Provenance, bounds: Bounds): DecodedChat | string {
  const parsed = threadedChat.safeParse(withoutNulls(record));
  if (!parsed.success) return complaintOf(parsed.error);
  const { thread } = parsed.data;
  if (thread.active) return 'the thread has not ended yet';
  if (thread.restricted_access !== undefined || !thread.events)
    return `the lines of the thread are hidden: ${thread.restricted_access ?? 'the record has no events'}`;
  return checked(decodeThread(parsed.data, from), Math.floor(Date.parse(thread.created_at) / 1000), bounds);
}

/** Null is treated as missing. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
  );
}
