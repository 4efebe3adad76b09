// Finds the chats that pass tests, all as they are when the question comes: whole accounts are read in slices, while others change them.
import type { ServiceAccount } from './account.ts';
import type { StoredBodies } from './chat-tables.ts';
import type { Span } from './chats.ts';
import type { ChatPredicate, LightChat } from './light.ts';
import type { ChatRecord } from './records.ts';
import { inSlices } from './slices.ts';

export interface ChatQuestion {
  span: Span;
  /** Numbers of the only chats that can pass, where few can. */
  among?: Iterable<number> | undefined;
  /** The cheap ones first. */
  tests: (bodies: StoredBodies) => ChatPredicate[];
}

interface FoundChats {
  /** By start, then id. */
  numbers: Uint32Array;
  chatOf(number: number): LightChat;
  bodyOf(number: number): ChatRecord;
}

/** What `answer` makes of the chats that were found; it reads them as they were. */
export async function findChats<T>(
  { chats, store }: ServiceAccount,
  { span, among, tests: testsOf }: ChatQuestion,
  answer: (found: FoundChats) => T,
): Promise<T> {
  const numbers = among ? chats.numbersAmong(among, span) : chats.numbersIn(span);
  const snapshot = chats.snapshot();
  const bodies = store.bodiesAsNow();
  try {
    const tests = testsOf(bodies);
    let found = tests.length === 0 ? numbers.length : 0;
    if (tests.length > 0)
      // Those that are found stand in the place of those that were tested.
      await inSlices(numbers, (number) => {
        const chat = snapshot.of(number);
        if (tests.every((test) => test(chat))) numbers[found++] = number;
      });
    return answer({ numbers: numbers.subarray(0, found), chatOf: snapshot.of, bodyOf: bodies.of });
  } finally {
    snapshot.end();
    bodies.end();
  }
}
