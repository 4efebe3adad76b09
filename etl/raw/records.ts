// Reads an archive day back record by record, without reassembling its pages.
import type { Queryable } from '#warehouse/engine.ts';
import type { StoredRecord } from '../fetched.ts';
import { chatsOf } from '../decode/page.ts';
import type { ArchiveUnit } from '../unit.ts';
import { bodyOf, namedIn, storedBodies, storedChats, type StoredBodies, type StoredBody } from './bodies.ts';
import { hashesIn, isOnlyChats, putTogether, textsBetween } from './pages.ts';
import type { Reading } from './readings.ts';

export interface StoredPart {
  records: StoredRecord[];
  /** Pages that they came on. */
  pages: number;
  /** Nothing of the day follows. */
  isLast: boolean;
}

/**
 * Reads twice as many pages at once as a part has: fewer cost more queries, more cost memory. A record on several pages is returned
 * several times. `known` are bodies that have already been read.
 */
export async function* storedRecords(
  archive: Queryable,
  account: string,
  { unit, period, usable }: Reading<ArchiveUnit>,
  pages_a_part: number,
  known: StoredBodies = new Map(),
): AsyncGenerator<StoredPart> {
  const most_pages = 2 * pages_a_part;
  if (usable.length === 0) yield { records: [], pages: 0, isLast: true };
  for (let from = 0; from < usable.length; from += most_pages) {
    const hashes = usable.slice(from, from + most_pages);
    const bodies = hashes.every((hash) => known.has(hash)) ? known : await storedBodies(archive, hashes);
    const read = hashes.map((hash) => bodyOf(bodies, hash));
    // A day that fits into one read needs no list of hashes: all of its chats are read.
    const chats = await storedChats(archive, account, period, usable.length > most_pages ? namedIn(read) : undefined);
    for (let place = 0; place < read.length; place += pages_a_part) {
      const pages = read.slice(place, place + pages_a_part);
      const records = pages.flatMap((page) => recordsIn(page, chats)).map((record) => asFact(unit, record));
      yield { records, pages: pages.length, isLast: from + place + pages_a_part >= usable.length };
    }
  }
}

/** A thread may have been fetched for comparison before it fed the facts; that pull did not provide the fact. */
function asFact({ via }: ArchiveUnit, record: StoredRecord): StoredRecord {
  if (via !== 'agent_v3') return record;
  const { pull_id: _, ...same } = record;
  return same;
}

/** Pages have only their objects taken out: other elements of the list remain in the page itself. */
function recordsIn({ form, body }: StoredBody, chats: ReadonlyMap<string, StoredRecord>): StoredRecord[] {
  const hashes = form === 'page' ? hashesIn(body) : [];
  const stored = hashes.map((hash) => chats.get(hash));
  if (form === 'page' && isOnlyChats(textsBetween(body)) && stored.every((record) => record !== undefined))
    return stored;
  const records = chatsOf(JSON.parse(putTogether(form, body, (hash) => chats.get(hash)?.text)));
  const isObject = (record: unknown): boolean =>
    typeof record === 'object' && record !== null && !Array.isArray(record);
  return records.map((record) => {
    const pull_id = isObject(record) ? stored.shift()?.pull_id : undefined;
    return { text: JSON.stringify(record), ...(pull_id === undefined ? {} : { pull_id }) };
  });
}
