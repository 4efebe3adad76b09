// What changes of an archive day when records under it change: the pages that list them, and the hash by which the ledger
// knows the day.
import type { Engine, Queryable } from '#warehouse/engine.ts';
import { lastReceived, pagesOf } from '#warehouse/erase/raw.ts';
import { recordsOf } from '../decode/archives.ts';
import type { ErasureFilter } from '../erased/erased.ts';
import type { ArchiveUnit } from '../unit.ts';
import { storedChats } from './bodies.ts';
import { hashOf, hashesIn, putTogether } from './pages.ts';
import { readingsOf, type Reading } from './readings.ts';
import { storedRecords } from './records.ts';

/** Content hash as the facts use it: of the record, serialized after parsing. */
export const contentOf = (text: string): string => {
  try {
    return hashOf(JSON.stringify(JSON.parse(text)));
  } catch {
    return hashOf(text);
  }
};

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

/** The ledger's content hash of an archive day as last received: before and after the change. */
export async function dayHashes(
  archive: Queryable,
  erased: ErasureFilter,
  account: string,
  period: string,
  readDay: ReadDay,
): Promise<{ before: string; after: string } | undefined> {
  const received = await lastReceived(archive, account, period);
  if (received === undefined) return undefined;
  const isOfDay = (reading: Reading): reading is Reading<ArchiveUnit> =>
    reading.unit.kind === 'archive' &&
    reading.unit.day === period &&
    !reading.unit.isCompared &&
    !reading.outcome.failure;
  const readings = (await readDay(account, received)).filter(isOfDay);
  const last = readings
    .sort((one, other) => one.last.at - other.last.at || one.last.sequence - other.last.sequence)
    .at(-1);
  if (!last) return undefined;
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  const note = (to: Map<string, string>, record: unknown): void => {
    const hash = hashOf(JSON.stringify(record));
    to.set(recordsOf(last.unit).idOf(record) ?? hash, hash);
  };
  for await (const { records } of storedRecords(archive, account, last, 40))
    for (const { text } of records) {
      const record = JSON.parse(text) as unknown;
      note(before, record);
      note(after, erased.record(account, record, period));
    }
  const hashed = (of: Map<string, string>): string => hashOf([...of.values()].sort().join());
  return { before: hashed(before), after: hashed(after) };
}
