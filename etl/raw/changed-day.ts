// What changes of an archive day when records under it change: the pages that list them, and the hash by which the ledger
// knows the day.
import type { Engine, Queryable } from '#warehouse/engine.ts';
import { lastReceived, pagesOf } from '#warehouse/erase/raw.ts';
import { recordsOf } from '../decode/archives.ts';
import type { ErasureFilter } from '../erased/erased.ts';
import type { ArchiveUnit } from '../unit.ts';
import { storedChats } from './bodies.ts';
import { contentHash, hashOf, hashesIn, putTogether } from './pages.ts';
import { readingsOf, type Reading } from './readings.ts';
import { storedRecords } from './records.ts';

/** Content hashes that the facts may use for a record: of its text, and of the record written again, as earlier versions knew it. */
export function contentsOf(text: string): Set<string> {
  try {
    return new Set([hashOf(text), hashOf(JSON.stringify(JSON.parse(text)))]);
  } catch {
    return new Set([hashOf(text)]);
  }
}

/** A page that changes. `before`: its hash until now. */
interface ChangedPage {
  before: string;
  hash: string;
  form: string;
  body: string;
}

/** `changed`: what becomes of records under the day, by their hashes until now. */
export async function changedPages(
  archive: Queryable,
  account: string,
  period: string,
  changed: ReadonlyMap<string, { hash: string; text: string }>,
): Promise<ChangedPage[]> {
  const pages: ChangedPage[] = [];
  const chats = await storedChats(archive, account, period);
  for (const row of await pagesOf(archive, account, period)) {
    const [before, page] = [String(row.hash), String(row.body)];
    if (!hashesIn(page).some((each) => changed.has(each))) continue;
    const pieces = (JSON.parse(page) as string[]).map((piece, place) =>
      place % 2 === 1 ? (changed.get(piece)?.hash ?? piece) : piece,
    );
    const body = putTogether('page', page, (each) => changed.get(each)?.text ?? chats.get(each)?.text);
    pages.push({ before, hash: hashOf(body), form: 'page', body: JSON.stringify(pieces) });
  }
  return pages;
}

/** Reads what was received for an account on a UTC day. */
export type ReadDay = (account: string, received: string) => Promise<Reading[]>;

/** The day that was read last is not read again: of a first pull thousands of local days were received on one. */
export function readDayOnce(archive: Engine): ReadDay {
  let last: { name: string; readings: Promise<Reading[]> } | undefined;
  return (account, received) => {
    const name = JSON.stringify([account, received]);
    if (last?.name !== name) last = { name, readings: readingsOf(archive, account, received) };
    return last.readings;
  };
}

/** Hashes by which the ledger may know an archive day as last received, and the one after the change. */
export async function dayHashes(
  archive: Queryable,
  erased: ErasureFilter,
  account: string,
  period: string,
  readDay: ReadDay,
): Promise<{ before: string; after: string }[]> {
  const received = await lastReceived(archive, account, period);
  if (received === undefined) return [];
  const isOfDay = (reading: Reading): reading is Reading<ArchiveUnit> =>
    reading.unit.kind === 'archive' &&
    reading.unit.day === period &&
    !reading.unit.isCompared &&
    !reading.outcome.failure;
  const readings = (await readDay(account, received)).filter(isOfDay);
  const last = readings
    .sort((one, other) => one.last.at - other.last.at || one.last.sequence - other.last.sequence)
    .at(-1);
  if (!last) return [];
  const [received_as, written_as, after] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const note = (to: Map<string, string>, record: unknown, hash: string): void => {
    to.set(recordsOf(last.unit).idOf(record) ?? hash, hash);
  };
  for await (const { records } of storedRecords(archive, account, last, 40))
    for (const { text } of records) {
      const record = JSON.parse(text) as unknown;
      const left = erased.record(account, record, period);
      note(
        received_as,
        record,
        contentHash(text, () => record, hashOf(text)),
      );
      note(written_as, record, hashOf(JSON.stringify(record)));
      note(after, left, left === record ? contentHash(text, () => record, hashOf(text)) : hashOf(JSON.stringify(left)));
    }
  const hashed = (of: Map<string, string>): string => hashOf([...of.values()].sort().join());
  return [...new Set([received_as, written_as].map(hashed))].map((before) => ({ before, after: hashed(after) }));
}
