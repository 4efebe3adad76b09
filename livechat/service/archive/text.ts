// The text search of GET /chats: a chat is found by its visitor's name or by any line said so far, in any case.
import type { FileQuestion } from '../find-chats.ts';
import type { ChatRecord } from '../records.ts';

/** What the file is asked for the chats that contain the words as one phrase. */
export const textsWith = (words: string, now: number): Required<Pick<FileQuestion, 'part' | 'isRecord'>> => ({
  part: plainPart(words),
  isRecord: isFound(words.toLowerCase(), now),
});

const isFound =
  (asked: string, now: number) =>
  ({ visitor, events }: ChatRecord): boolean => {
    const lines = events.filter((event) => event.type !== 'event' && event.at <= now).map((event) => event.text);
    return [visitor.name, ...lines].some((text) => text.toLowerCase().includes(asked));
  };

/** The longest run of ASCII letters and digits: SQLite matches those case-insensitively, and JSON never escapes them. */
function plainPart(words: string): string {
  return (words.match(/[A-Za-z0-9]+/g) ?? []).reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
}
