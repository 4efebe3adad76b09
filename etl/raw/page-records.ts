// Reads a page of chats record by record: each is parsed once, and its text and hash are what the raw archive keeps.
import { chatsOf } from '../decode/page.ts';
import { withoutRepeatedLines } from '../decode/repeated-lines.ts';
import { isObject, type JsonObject } from '../json-object.ts';
import type { PageText } from '../fetched.ts';
import {
  asBody,
  contentHash,
  hashOf,
  isOnlyChats,
  partsOf,
  type KeptChat,
  type PageBody,
  type PageParts,
} from './pages.ts';

/** A record as it was received. */
export interface PageRecord {
  record: unknown;
  /** Its text, if `record` lacks lines that it repeats. */
  text?: string;
  /** By which the facts know it; only of records that the raw archive keeps by themselves. */
  content_hash?: string;
}

const known = new WeakMap<PageText, PageParts>();

/** `isShort`: lines need not be there twice. @throws Garbled if the body is not a page. */
export function recordsOn(page: PageText, isShort = false): PageRecord[] {
  const compact = compactPage(page.body, isShort ? readShort : readWhole);
  const parts = compact?.parts ?? partsOf(page.body);
  known.set(page, parts);
  const { chats, between } = parts;
  if (compact) return compact.records.map((read, place) => withHash(read, chats[place]));
  if (isOnlyChats(between)) return chats.map((chat) => withHash({ record: JSON.parse(chat.body) }, chat));
  return chatsOf(JSON.parse(page.body)).map((record) => ({ record }));
}

/** The record as a whole. */
export const wholeOf = ({ record, text }: PageRecord): unknown => (text === undefined ? record : JSON.parse(text));

const readWhole = (text: string): PageRecord => ({ record: JSON.parse(text) as unknown });

/** A record of which the facts are made. `text` has to be JSON. */
export function readShort(text: string): PageRecord {
  const record = withoutRepeatedLines(text);
  return record ? { record, text } : readWhole(text);
}

const withHash = (read: PageRecord, chat: KeptChat | undefined): PageRecord =>
  chat ? { ...read, content_hash: contentHash(chat.body, () => wholeOf(read), chat.hash) } : read;

/** As the raw archive keeps it. */
export const bodyOn = (page: PageText): PageBody => asBody(page.body, known.get(page) ?? partsOf(page.body));

interface CompactPage {
  records: PageRecord[];
  parts: PageParts;
}

const list = '"chats":[';
/** How the first record begins: with the name and the text of its first field, or with its name alone. */
const beginnings = [/\{"[^"\\]*":"[^"\\]*",/y, /\{"[^"\\]*":/y];

/**
 * A page of records that begin alike and have no white space around them is cut at their beginnings. Undefined for any other: that every
 * piece is the text of an object, and that the rest is a page of no records, proves that nothing else was cut.
 */
function compactPage(text: string, read: (text: string) => PageRecord): CompactPage | undefined {
  const start = text.indexOf(list) + list.length;
  const end = text.lastIndexOf('}]') + 1;
  if (start < list.length || end <= start) return undefined;
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (before.indexOf('"chats"') !== start - list.length || after.includes('"chats"')) return undefined;
  if (!isEmptyPage(before + after)) return undefined;
  for (const beginning of beginnings) {
    beginning.lastIndex = start;
    const begins = beginning.exec(text)?.[0];
    if (begins === undefined) continue;
    const texts = cutAt(`},${begins}`, text, start, end);
    const records = recordsIn(texts, read);
    if (!records) continue;
    const chats = texts.map((body, place) => ({ chat_id: chatIdOf(records[place]?.record), hash: hashOf(body), body }));
    return { records, parts: { chats, between: [before, ...texts.slice(1).map(() => ','), after] } };
  }
  return undefined;
}

function cutAt(boundary: string, text: string, start: number, end: number): string[] {
  const texts: string[] = [];
  for (let from = start; from < end;) {
    const found = text.indexOf(boundary, from);
    const stop = found === -1 || found >= end ? end : found + 1;
    texts.push(text.slice(from, stop));
    from = stop + 1;
  }
  return texts;
}

function recordsIn(texts: readonly string[], read: (text: string) => PageRecord): PageRecord[] | undefined {
  try {
    return texts.map(read);
  } catch {
    return undefined;
  }
}

function isEmptyPage(text: string): boolean {
  try {
    const { chats } = JSON.parse(text) as { chats?: unknown };
    return Array.isArray(chats) && chats.length === 0;
  } catch {
    return false;
  }
}

/** Id of a chat, or for list_archives of its thread. */
function chatIdOf(record: unknown): string {
  const { id, thread } = (record ?? {}) as JsonObject;
  const of_thread = isObject(thread) && typeof thread.id === 'string' ? thread.id : '';
  return of_thread || (typeof id === 'string' ? id : '');
}
