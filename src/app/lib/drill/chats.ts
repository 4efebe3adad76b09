// What the API says of a search for chats.
export interface FoundChat {
  chat_id: string;
  started_at: string;
  ended_at: string;
  visitor_name: string | null;
  country: string | null;
  rate: string;
  message_count: number;
  agents: string[];
  groups: number[];
  tags: string[];
  /** The first line that holds the words. */
  match?: { position: number; text: string };
  /** What the visitor wrote in a survey, where it was asked for. */
  answers?: { question: string; answer: string }[];
}

export interface FoundChats {
  timezone: string;
  from: string;
  to: string;
  total: number;
  rows: FoundChat[];
}

/** Null when they could not be read: the page around them is not held up by it. */
export async function readChats(
  fetch: typeof globalThis.fetch,
  account: string,
  query: URLSearchParams,
  limit: number,
  offset = 0,
): Promise<FoundChats | null> {
  const asked = new URLSearchParams([...query, ['account', account], ['limit', `${limit}`], ['offset', `${offset}`]]);
  try {
    const response = await fetch(`/api/chats?${asked}`);
    return response.ok ? ((await response.json()) as FoundChats) : null;
  } catch {
    return null;
  }
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
