// Removes old content from incoming records: chats that began before a cut-off date lose what people wrote, or who they were. Pure.
import type { Tells } from '#warehouse/tables/tables.ts';
import { isObject } from '../json-object.ts';
import { isThreaded } from './subject.ts';
import { nobodyErased, type ErasureFilter } from './erased.ts';
import { blank, ofOld, washed } from './record.ts';

/** Kinds of content with a retention period of their own. */
export type Retained = Exclude<Tells, 'both'>;
export const retainedKinds = ['texts', 'names'] as const satisfies readonly Retained[];

/** First days (YYYY-MM-DD, UTC) whose chats are kept whole; without one nothing is removed. */
export type Marks = Readonly<Partial<Record<Retained, string>>>;

const day_ms = 86_400_000;

/** Milliseconds of the beginning of a day (UTC); NaN if invalid. */
const beginOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Days by which a chat may have begun before and after the requested local day, whatever the zone. */
export const days_before = 4;
export const days_after = 3;

/**
 * When the chat of a record began, in milliseconds. A record without a time, or with one far from the requested day, can never become a
 * fact; it counts as begun on that day. NaN without either.
 */
export function begunAt(record: unknown, day: string): number {
  const own = ownBegin(record);
  const asked = beginOf(day);
  if (Number.isNaN(asked)) return own;
  return own >= asked - days_before * day_ms && own < asked + days_after * day_ms ? own : asked;
}

function ownBegin(record: unknown): number {
  if (isThreaded(record)) return Date.parse(String(record.thread['created_at']));
  if (!isObject(record)) return NaN;
  const second = record['started_timestamp'];
  return (typeof second === 'number' || (typeof second === 'string' && second !== '') ? Number(second) : NaN) * 1000;
}

/** Kinds of content that have expired for a chat that began then. */
function goneAt(marks: Marks, begun: number): ReadonlySet<Retained> {
  return new Set(retainedKinds.filter((kept) => begun < beginOf(marks[kept] ?? '')));
}

export function oldBy(marks: Marks): ErasureFilter {
  if (retainedKinds.every((kept) => marks[kept] === undefined)) return nobodyErased;
  return {
    isEmpty: false,
    record(_, of, day) {
      const gone = goneAt(marks, begunAt(of, day));
      if (gone.size === 0) return of;
      const left = washed(of, ofOld(gone));
      return JSON.stringify(left) === JSON.stringify(of) ? of : left;
    },
    text: (_, text, day) => (goneAt(marks, beginOf(day)).size > 0 ? textWithout(text) : text),
  };
}

/** What cannot be read may hold anything; an answer without chats holds none of their words. */
function textWithout(text: string): string {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return isLeftOut.test(text) ? text : `(${text.length} characters that could not be read, of a day that is too old)`;
  }
  const chats = isObject(said) ? said['chats'] : undefined;
  if (!isObject(said) || !Array.isArray(chats) || chats.length === 0) return text;
  return JSON.stringify({ ...said, chats: chats.map(blank) });
}
const isLeftOut = /^\(\d+ characters that could not be read\b/;
