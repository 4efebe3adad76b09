// Gathers what a question once brought from the raw archive instead of from the source.
import type { Engine } from '#warehouse/engine.ts';
import { recordsOf } from '../decode/archives.ts';
import type { Received } from '../ask/fetch.ts';
import type { Gathered } from '../ask/gather.ts';
import type { ListUnit, Unit } from '../plan/plan.ts';
import { listed } from './bodies.ts';
import { putTogether } from './pages.ts';
import type { Reading } from './readings.ts';

/** A long archive day is read so many pages at once: fewer cost more questions, more cost memory. */
const pages_read = 80;
/** And handed over in parts of so many: what has been parsed and waits costs ten times its text. */
const pages_a_part = 20;

/** What the source once gave; a long archive day in several parts, as it came. */
export async function* gatherKept<U extends Unit | ListUnit>(
  archive: Engine,
  account: string,
  reading: Reading<U>,
  known: Bodies = new Map(),
  brought: WeakMap<object, string> = new WeakMap(),
): AsyncGenerator<Gathered<U>> {
  const { unit, period, usable, answers, outcome } = reading;
  const wasQuarantined = outcome.failure?.state === 'quarantined';
  const bodies: unknown[] = [];
  for (let from = 0; from < usable.length; from += pages_read) {
    const stored = await storedPages(archive, account, period, usable.slice(from, from + pages_read), known);
    for (const page of stored) {
      // The last part is not handed over before it is known to be the last.
      if (bodies.length >= pages_a_part) yield { unit, answers: [], bodies: bodies.splice(0), isPart: true };
      bodies.push(parsed(page, brought));
    }
  }
  if (wasQuarantined && bodies.length > 0) yield { unit, answers, ...retried(unit, bodies, outcome) };
  else yield { unit, answers: wasQuarantined ? await withLastBody(archive, reading) : answers, bodies, ...outcome };
}

/** What is set aside is set aside with the words that came. */
async function withLastBody(archive: Engine, { answers, hashes }: Reading): Promise<Received[]> {
  const [last, hash] = [answers.at(-1), hashes.at(-1)];
  if (!last || !hash) return answers;
  const [stored] = await archive.query(
    `select body from raw.bodies where form = 'whole' and hash = ${listed(archive, [hash])}`,
  );
  return [...answers.slice(0, -1), { ...last, body: String(stored?.body ?? '') }];
}

/** Whether it can be used by now: that decides the decoder of today, not the one that set it aside. */
function retried(
  unit: Unit | ListUnit,
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
    // It is no page for this decoder either.
  }
  return { bodies: [], ...outcome };
}

/** Bodies as they are stored, by hash. */
export type Bodies = ReadonlyMap<string, { form: string; body: string }>;

export async function storedBodies(archive: Engine, hashes: readonly string[]): Promise<Bodies> {
  if (hashes.length === 0) return new Map();
  const rows = await archive.query(
    `select hash, form, body
     from raw.bodies
     where hash in (${listed(archive, [...new Set(hashes)])})`,
  );
  return new Map(rows.map(({ hash, form, body }) => [String(hash), { form: String(form), body: String(body) }]));
}

interface StoredPage {
  form: string;
  body: string;
  /** Its chats by their hash. */
  chats: ReadonlyMap<string, { body: string; pull_id: string }>;
}

/** Bodies of those hashes in their order. `period` is the one under which their chats lie. */
async function storedPages(
  archive: Engine,
  account: string,
  period: string,
  hashes: readonly string[],
  known: Bodies,
): Promise<StoredPage[]> {
  const missing = hashes.filter((hash) => !known.has(hash));
  const stored = missing.length > 0 ? await storedBodies(archive, missing) : known;
  const found = hashes.map((hash) => {
    const body = known.get(hash) ?? stored.get(hash);
    if (!body) throw new Error(`the raw archive names the body ${hash}, and does not hold it`);
    return body;
  });
  const pages = found.filter(({ form }) => form === 'page').map(({ body }) => body);
  const chats = await chatsOf(archive, account, period, pages);
  return found.map((body) => ({ ...body, chats }));
}

/** Notes of each record of a page which pull brought it. */
function parsed({ form, body, chats }: StoredPage, brought: WeakMap<object, string>): unknown {
  const page = JSON.parse(putTogether(form, body, (chat) => chats.get(chat)?.body)) as unknown;
  for (const [record, hash] of form === 'page' ? recordsIn(page, body) : [])
    brought.set(record, chats.get(hash)?.pull_id ?? '');
  return page;
}

/** Each record of a page with its hash: only objects were taken out of it. */
function recordsIn(page: unknown, stored: string): [object, string][] {
  const { chats } = page as { chats: unknown[] };
  const hashes = hashesIn(stored);
  const records = chats.filter((chat) => typeof chat === 'object' && chat !== null && !Array.isArray(chat));
  return records.map((record, place) => [record as object, hashes[place] ?? '']);
}

const hashesIn = (page: string): string[] => (JSON.parse(page) as string[]).filter((_, place) => place % 2 === 1);

async function chatsOf(
  archive: Engine,
  account: string,
  period: string,
  pages: readonly string[],
): Promise<Map<string, { body: string; pull_id: string }>> {
  const named = pages.flatMap(hashesIn);
  if (named.length === 0) return new Map();
  const { param } = archive.dialect;
  const rows = await archive.query(
    `select hash, body, pull_id
     from raw.chats
     where account = ${param('account', 'text')}
       and period = ${param('period', 'text')}
       and hash in (${listed(archive, [...new Set(named)])})`,
    { account, period },
  );
  return new Map(
    rows.map(({ hash, body, pull_id }) => [String(hash), { body: String(body), pull_id: String(pull_id) }]),
  );
}
