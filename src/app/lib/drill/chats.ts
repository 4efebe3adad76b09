// Asks for chats that a search finds, and cuts out of a text the words that were searched.
import type { FoundChats } from '#api/contract/chats.ts';
import { call } from '#lib/api.ts';

/** Chats, or a sentence when they could not be read or may not be: the page around them is not held up by it. */
export async function readChats(
  fetch: typeof globalThis.fetch,
  account: string,
  query: URLSearchParams,
  limit: number,
  offset = 0,
): Promise<{ found: FoundChats | null; problem: string | null }> {
  const asked = new URLSearchParams([...query, ['account', account], ['limit', `${limit}`], ['offset', `${offset}`]]);
  const outcome = await call(fetch, 'GET /chats', { query: asked });
  return outcome.kind === 'answered'
    ? { found: outcome.answer, problem: null }
    : { found: null, problem: outcome.message };
}

/** The words in a text with what stands around them; the whole text when it is short. */
export function excerpt(text: string, words: string, length = 120): { before: string; found: string; after: string } {
  const at = text.toLocaleLowerCase().indexOf(words.toLocaleLowerCase());
  if (at < 0) return { before: text.slice(0, length), found: '', after: text.length > length ? '…' : '' };
  const from = Math.max(0, at - Math.floor((length - words.length) / 2));
  const to = Math.min(text.length, from + length);
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    found: text.slice(at, at + words.length),
    after: text.slice(at + words.length, to) + (to < text.length ? '…' : ''),
  };
}
