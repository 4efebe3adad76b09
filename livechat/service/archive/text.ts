// The text search of GET /chats: a chat is found by its visitor's name or by any line said so far, in any case.
import type { StoredBodies } from '../chat-tables.ts';
import type { ChatPredicate } from '../light.ts';
import type { ChatRecord } from '../records.ts';

/** Whether a chat contains the words as one phrase. */
export function hasText(bodies: StoredBodies, words: string, now: number): ChatPredicate {
  const asked = words.toLowerCase();
  const part = plainPart(words);
  return ({ number }) => bodies.contains(number, part) && isFound(bodies.of(number), asked, now);
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
