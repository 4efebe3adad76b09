// The text search of GET /chats: a chat is found by its visitor's name or by any line said so far, in any case.
import type { ChatRecord } from '../records.ts';
import type { ChatStore } from '../store.ts';

/** Numbers of the chats that contain the words as one phrase. */
export function numbersWithText(store: ChatStore, words: string, now: number): Set<number> {
  const asked = words.toLowerCase();
  const found = new Set<number>();
  for (const { number, body } of store.bodiesWith(plainPart(words))) {
    if (isFound(body, asked, now)) found.add(number);
  }
  return found;
}

function isFound({ visitor, events }: ChatRecord, asked: string, now: number): boolean {
  const lines = events.filter((event) => event.type !== 'event' && event.at <= now).map((event) => event.text);
  return [visitor.name, ...lines].some((text) => text.toLowerCase().includes(asked));
}

/** The longest run of ASCII letters and digits: SQLite matches those case-insensitively, and JSON never escapes them. */
function plainPart(words: string): string {
  return (words.match(/[A-Za-z0-9]+/g) ?? []).reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
}
