// Decodes one record of an archive page: the rows of a chat, or the reason why it is invalid. Pure.
import { archivedChat, type ArchivedChat } from '#contract/archive.ts';
import { decodeChat, type DecodedChat, type Provenance } from './chats.ts';
import { complaintOf, coercedChat, misfitIn } from './coerce.ts';
import { fits } from './shape.ts';

/** Seconds between which (end exclusive) a chat of the requested day may have started: sources differ in what they list. */
export interface Bounds {
  first: number;
  last: number;
}

const day_seconds = 86_400;
/** A chat may be listed under days into which it ran. */
const days_before = 3;

/** Rows of the chat, or the reason why the record is invalid. */
export function decodeRecord(record: unknown, from: Provenance, bounds: Bounds): DecodedChat | string {
  const chat = isArchivedChat(record) ? (record as ArchivedChat) : parsedChat(record);
  if (typeof chat === 'string') return chat;
  if (chat.pending) return 'the chat has not ended yet';
  if ((chat.ended_timestamp ?? Infinity) < chat.started_timestamp) return 'the chat ended before it started';
  return checked(decodeChat(chat, from), chat.started_timestamp, bounds);
}

const isArchivedChat = fits(archivedChat);

/** A chat that deviates from the contract, repaired, or the reason why it is invalid. */
function parsedChat(record: unknown): ArchivedChat | string {
  const asItStands = archivedChat.safeParse(record);
  const parsed = asItStands.success ? asItStands : archivedChat.safeParse(coercedChat(record));
  return parsed.success ? parsed.data : complaintOf(parsed.error);
}

/** The rows, or why they cannot be those of a chat of the asked day. `started` in Unix seconds. */
export function checked(rows: DecodedChat, started: number, { first, last }: Bounds): DecodedChat | string {
  if (started < first - days_before * day_seconds || started >= last + day_seconds)
    return `the chat is said to start at ${momentOf(started)}, far from the day that was asked`;
  for (const name in rows) {
    const misfit = misfitIn('facts', name, rows[name as keyof DecodedChat]);
    if (misfit) return misfit;
  }
  return rows;
}

/** Also for a number that is not an instant. */
const momentOf = (second: number): string =>
  Math.abs(second) < 1e11 ? new Date(second * 1000).toISOString().replace('.000', '') : String(second);
