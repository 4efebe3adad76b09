// Reads the stored answers to a question from the raw archive instead of asking the source.
import type { Queryable } from '#warehouse/engine.ts';
import { recordsOf } from '../decode/archives.ts';
import type { Gathered, ReceivedResponse } from '../fetched.ts';
import type { ListUnit, PullUnit } from '../unit.ts';
import { bodyOf, namedIn, storedBodies, storedChats, type StoredBodies } from './bodies.ts';
import { putTogether } from './pages.ts';
import type { Reading } from './readings.ts';

/** Pages of a long archive day read at once: fewer cost more queries, more cost memory. */
const pages_read = 80;
/** Pages per part: waiting parsed pages take ten times the memory of their text. */
const pages_a_part = 20;

/** The source's past answers; a long archive day comes in several parts, as it was received. */
export async function* gatherKept<U extends PullUnit | ListUnit>(
  archive: Queryable,
  account: string,
  reading: Reading<U>,
  known: StoredBodies = new Map(),
): AsyncGenerator<Gathered<U>> {
  const { unit, period, usable, cost, outcome } = reading;
  const wasQuarantined = outcome.failure?.state === 'quarantined';
  const bodies: unknown[] = [];
  for (let from = 0; from < usable.length; from += pages_read) {
    const stored = await storedPages(archive, account, period, usable.slice(from, from + pages_read), known);
    for (const page of stored) {
      // The last part is held back until it is known to be the last.
      if (bodies.length >= pages_a_part) yield { unit, answers: [], bodies: bodies.splice(0), isPart: true };
      bodies.push(JSON.parse(page));
    }
  }
  if (wasQuarantined && bodies.length > 0) yield { unit, answers: [], cost, ...retried(unit, bodies, outcome) };
  else yield { unit, answers: wasQuarantined ? await lastAnswer(archive, reading) : [], cost, bodies, ...outcome };
}

/** Quarantined records are stored with the original text. */
async function lastAnswer(archive: Queryable, { last_answer }: Reading): Promise<ReceivedResponse[]> {
  if (!last_answer) return [];
  const { received, hash } = last_answer;
  const stored = (await storedBodies(archive, [hash])).get(hash);
  return [{ ...received, body: stored?.form === 'whole' ? stored.body : '' }];
}

/** Whether it can be used by now: that decides the decoder of today, not the one that set it aside. */
function retried(
  unit: PullUnit | ListUnit,
  bodies: unknown[],
  outcome: Reading['outcome'],
): Omit<Gathered, 'unit' | 'answers'> {
  if (unit.kind !== 'archive') return { bodies };
  try {
    const pages = bodies.map((body, place) => recordsOf(unit).page(body, place + 1));
    const total = pages.at(-1)?.total ?? 0;
    const reached = new Set(pages.flatMap(({ ids }) => ids)).size;
    if (reached >= total) return { bodies, total };
  } catch {
    // This decoder does not accept it as a page either.
  }
  return { bodies: [], ...outcome };
}

/** Bodies with those hashes in order, as they were received. `period` is the one of their chats. */
async function storedPages(
  archive: Queryable,
  account: string,
  period: string,
  hashes: readonly string[],
  known: StoredBodies,
): Promise<string[]> {
  const missing = hashes.filter((hash) => !known.has(hash));
  const stored = missing.length > 0 ? await storedBodies(archive, missing) : known;
  const found = hashes.map((hash) => bodyOf(known.has(hash) ? known : stored, hash));
  const chats = await storedChats(archive, account, period, namedIn(found));
  return found.map(({ form, body }) => putTogether(form, body, (chat) => chats.get(chat)?.text));
}
