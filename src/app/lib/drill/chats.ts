// Asks for chats that a search finds, and cuts out of a text the words that were searched.
import type { FoundChats } from '#api/contract/chats.ts';
import { addressOf, outcomeOf } from '#lib/api.ts';

/** Address of a question for chats. */
export const chatsAddress = (account: string, query: URLSearchParams, limit: number, offset = 0): string =>
  addressOf('GET /chats', {
    query: new URLSearchParams([...query, ['account', account], ['limit', `${limit}`], ['offset', `${offset}`]]),
  });

/** Chats, or a sentence when they could not be read or may not be. */
export interface ChatsOutcome {
  found: FoundChats | null;
  problem: string | null;
}

/** Never throws: the page around the chats is not held up by them. */
export async function readChats(
  fetch: typeof globalThis.fetch,
  ...asked: Parameters<typeof chatsAddress>
): Promise<ChatsOutcome> {
  const outcome = await outcomeOf<FoundChats>(fetch, 'GET /chats', chatsAddress(...asked));
  return outcome.kind === 'answered'
    ? { found: outcome.answer, problem: null }
    : { found: null, problem: outcome.message };
}

/** The words in a text with their surroundings; the whole text if it is short. */
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
