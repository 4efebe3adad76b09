// Finds the chats that pass tests, all as they are when the question comes: whole accounts are read in slices, while others change them.
import type { ServiceAccount } from './account.ts';
import { assertAsked } from './asking.ts';
import type { PlaceFilter, StoredBodies } from './chat-tables.ts';
import type { Span } from './chats.ts';
import type { ChatPredicate, LightChat } from './light.ts';
import type { ChatRecord } from './records.ts';
import { inSlices } from './slices.ts';

export interface ChatQuestion {
  span: Span;
  /** Numbers of the only chats that can pass, where few can. */
  among?: Iterable<number> | undefined;
  /** Of what is in memory, the cheap ones first. */
  tests: (bodies: StoredBodies) => ChatPredicate[];
  file?: FileQuestion;
}

/** What the file is asked about chats that pass the tests. */
export interface FileQuestion {
  place?: PlaceFilter;
  /** ASCII letters and digits that the record of each has somewhere, in any case. */
  part?: string;
  isRecord?: (record: ChatRecord) => boolean;
}

interface FoundChats {
  /** By start, then id. */
  numbers: Uint32Array;
  chatOf(number: number): LightChat;
  bodyOf(number: number): ChatRecord;
  /** Reads the bodies of these from the disk, so that nobody waits for it then. */
  readAhead(numbers: readonly number[]): Promise<void>;
}

/** Of so many chats at a time a thread reads what the file has. */
const batch = 128;

/** What `answer` makes of the chats that were found; it reads them as they were. */
export async function findChats<T>(
  { chats, store }: ServiceAccount,
  { span, among, tests: testsOf, file = {} }: ChatQuestion,
  answer: (found: FoundChats) => T | Promise<T>,
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
    return await answer({
      numbers: await inFile(numbers.subarray(0, found)),
      chatOf: snapshot.of,
      bodyOf: bodies.of,
      readAhead: async (own) => void (await bodies.containing('', Uint32Array.from(own))),
    });
  } finally {
    snapshot.end();
    bodies.end();
  }

  /** Those of these chats that pass what the file is asked. */
  async function inFile(asked: Uint32Array): Promise<Uint32Array> {
    const { place, part = '', isRecord } = file;
    if (!place && !isRecord) return asked;
    const passing = async (from: number): Promise<Uint32Array> => {
      const own = asked.slice(from, from + batch);
      const there = place ? await store.from(place, own) : own;
      return isRecord ? bodies.containing(part, there) : there;
    };
    let found = 0;
    let next = passing(0);
    for (let from = 0; from < asked.length; from += batch) {
      const there = await next;
      assertAsked();
      next = passing(from + batch);
      // TRICKY: nobody waits for it when this loop throws.
      next.catch(() => undefined);
      await inSlices(there, (number) => {
        if (!isRecord || isRecord(bodies.of(number))) asked[found++] = number;
      });
    }
    return asked.subarray(0, found);
  }
}
