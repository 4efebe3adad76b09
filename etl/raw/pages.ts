// Takes a page of chats apart, so that each version of a chat is stored once, and puts it together again byte for byte.
import { hash as digest } from 'node:crypto';

/** A body as the raw archive keeps it: whole, or in pieces around its chats. */
export interface PageBody {
  hash: string;
  form: 'whole' | 'page';
  body: string;
  chats: readonly KeptChat[];
}
export interface KeptChat {
  chat_id: string;
  hash: string;
  body: string;
}

export const hashOf = (text: string): string => digest('sha1', text, 'base64url');

const isCompact = /^\{"[^"\\]*":\S/;

/**
 * The hash by which the facts know a record: of its text, `hash`, unless it has white space or needless escapes; then of the record as
 * written again, so that a source may change its way of writing.
 */
export const contentHash = (text: string, record: () => unknown, hash: string): string =>
  isCompact.test(text) && !text.includes('\\/') && !text.includes('\\u') ? hash : hashOf(JSON.stringify(record()));

const quote = 34;
const backslash = 92;
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

/** The place after the string that begins at `from`. */
function afterString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

interface RecordSpan {
  start: number;
  end: number;
  /** Id of a chat, or for list_archives of its thread, which the facts call the chat. Empty if missing. */
  chat_id: string;
  /** The reader is inside the record's thread. */
  isInThread: boolean;
  thread_id: string;
}

const spanFrom = (start: number): RecordSpan => ({ start, end: 0, chat_id: '', isInThread: false, thread_id: '' });

/** Start and end of the objects in the outermost list `chats`; undefined if the text has no such list. */
function chatSpans(text: string): RecordSpan[] {
  const spans: RecordSpan[] = [];
  let depth = 0;
  let isInList = false;
  let chat = spanFrom(0);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = afterString(text, at);
      if (depth === 1 && !isInList && text.slice(at, end) === '"chats"') {
        const list = textAfter(text, end, beginsList);
        isInList = list !== '';
        depth += isInList ? 1 : 0;
        at = end + list.length - 1;
      } else {
        if (depth === 3 && isInList && end - at === 4 && text.slice(at, end) === '"id"')
          chat.chat_id ||= idIn(textAfter(text, end, namesText));
        else if (depth === 3 && isInList && end - at === 8 && text.slice(at, end) === '"thread"')
          chat.isInThread = textAfter(text, end, beginsObject) !== '';
        else if (depth === 4 && chat.isInThread && end - at === 4 && text.slice(at, end) === '"id"')
          chat.thread_id ||= idIn(textAfter(text, end, namesText));
        at = end - 1;
      }
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth === 3 && isInList && code === openBrace) chat = spanFrom(at);
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 3 && isInList && code === closeBrace)
        spans.push({ ...chat, end: at + 1, chat_id: chat.thread_id || chat.chat_id });
      if (depth === 4) chat.isInThread = false;
      if (depth === 2 && isInList) return spans;
      depth -= 1;
    }
  }
  return [];
}

const beginsObject = /\s*:\s*\{/y;
const beginsList = /\s*:\s*\[/y;
const namesText = /\s*:\s*"(?:[^"\\]|\\.)*"/y;

function textAfter(text: string, at: number, pattern: RegExp): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function idIn(found: string): string {
  const text = found.slice(found.indexOf('"'));
  try {
    return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
  } catch {
    return text.slice(1, -1);
  }
}

/** The chats of a body, and the text before, between and after them. */
export interface PageParts {
  chats: readonly KeptChat[];
  between: readonly string[];
}

/** No chats if the body has no list of them, or is not JSON. */
export function partsOf(body: string): PageParts {
  const between: string[] = [];
  const chats: KeptChat[] = [];
  let after = 0;
  for (const { start, end, chat_id } of body.includes('"chats"') ? chatSpans(body) : []) {
    const record = body.slice(start, end);
    chats.push({ chat_id, hash: hashOf(record), body: record });
    between.push(body.slice(after, start));
    after = end;
  }
  return { chats, between: [...between, body.slice(after)] };
}

/** A body without chats is stored as a whole. */
export function asBody(body: string, { chats, between }: PageParts): PageBody {
  const hash = hashOf(body);
  if (chats.length === 0) return { hash, form: 'whole', body, chats: [] };
  const pieces = between.flatMap((text, place) => [text, ...chats.slice(place, place + 1).map((chat) => chat.hash)]);
  return { hash, form: 'page', body: JSON.stringify(pieces), chats };
}

export const takeApart = (body: string): PageBody => asBody(body, partsOf(body));

const piecesOf = (page: string): string[] => JSON.parse(page) as string[];

/** The placeholders between pieces of text: hashes of chats, in order. */
export const hashesIn = (page: string): string[] => piecesOf(page).filter((_, place) => place % 2 === 1);

/** The texts around the chats of a stored page. */
export const textsBetween = (page: string): string[] => piecesOf(page).filter((_, place) => place % 2 === 0);

/** Whether the list of chats contains only separately stored chats, and is the only list of that name. */
export function isOnlyChats(between: readonly string[]): boolean {
  const [before = '', after = ''] = [between[0], between.at(-1)];
  return (
    between.length > 1 &&
    /\[\s*$/.test(before) &&
    between.slice(1, -1).every((piece) => piece === ',' || /^\s*,\s*$/.test(piece)) &&
    /^\s*\]/.test(after) &&
    !after.includes('"chats"')
  );
}

/** The body as received. @throws if one of its chats is missing. */
export function putTogether(form: string, body: string, chatOf: (hash: string) => string | undefined): string {
  if (form !== 'page') return body;
  return piecesOf(body)
    .map((piece, place) => {
      if (place % 2 === 0) return piece;
      const chat = chatOf(piece);
      if (chat === undefined) throw new Error(`the raw archive names the chat record ${piece}, and does not hold it`);
      return chat;
    })
    .join('');
}
