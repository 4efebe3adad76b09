// The raw archive without those who are erased: which records and pages of it change, and the file written anew. What stays is
// what would be there if the source had always answered without them, so that the next answer is no change.
import type { Engine, Row, Store } from '#warehouse/engine.ts';
import {
  lastReceived,
  othersHolding,
  pagesOf,
  recordsHeld,
  recordsHolding,
  writeWithout,
} from '#warehouse/erase/raw.ts';
import type { Named } from '#warehouse/erase/rewriting.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import { rawBodies, rawChats } from '#warehouse/tables/tables.ts';
import { recordsOf } from '../decode/archives.ts';
import type { Erased } from '../erased/erased.ts';
import type { ArchiveUnit } from '../unit.ts';
import { storedBodies, storedChats } from './bodies.ts';
import { hashOf, hashesIn, putTogether } from './pages.ts';
import { readingsOf, type Reading } from './readings.ts';
import { storedRecords } from './records.ts';
import { leftOut, recordWithout } from './without.ts';

/** A record, and what is left of it. */
interface ChangedRecord {
  account: string;
  period: string;
  hash: string;
  row: Row;
}

export interface ArchiveChanges {
  records: ChangedRecord[];
  /** By the hashes that they had. */
  bodies: Map<string, { hash: string; form: string; body: string }>;
  /** Hashes of records as the facts name them. */
  contents: Map<string, string>;
  /** The same of records that were looked at and stay. */
  staying: Set<string>;
  /** Hashes of days as the ledger names them. */
  days: Map<string, string>;
}

/** `words`: ids and addresses, at least one of which stands in what is looked at. */
export async function changesIn(
  archive: Engine,
  erased: Erased,
  chats: readonly Named[],
  words: readonly string[],
): Promise<ArchiveChanges> {
  const changes: ArchiveChanges = {
    records: [],
    bodies: new Map(),
    contents: new Map(),
    staying: new Set(),
    days: new Map(),
  };
  for await (const rows of recordsHolding(archive, chats, words))
    for (const row of rows) {
      const [account, period, body] = [String(row.account), String(row.period), String(row.body)];
      const left = recordWithout(erased, account, body);
      if (left === body) changes.staying.add(contentOf(body));
      if (left === body) continue;
      const hash = String(row.hash);
      changes.records.push({ account, period, hash, row: { ...row, hash: hashOf(left), body: left } });
      changes.contents.set(contentOf(body), contentOf(left));
    }
  const days = Map.groupBy(changes.records, ({ account, period }) => JSON.stringify([account, period]));
  for (const own of days.values()) await changePages(archive, erased, own, changes);
  const all = [...words, ...chats.map(({ id }) => id)];
  for (const { hash, body, account } of await othersHolding(archive, all)) {
    if (!erased.isNamedIn(String(account), String(body))) continue;
    const left = leftOut(String(body));
    changes.bodies.set(String(hash), { hash: hashOf(left), form: 'whole', body: left });
  }
  return changes;
}

/** As the facts name a version of a chat: by its record as it is written after it was read. */
const contentOf = (text: string): string => {
  try {
    return hashOf(JSON.stringify(JSON.parse(text)));
  } catch {
    return hashOf(text);
  }
};

async function changePages(
  archive: Engine,
  erased: Erased,
  records: readonly ChangedRecord[],
  { bodies, days }: ArchiveChanges,
): Promise<void> {
  const { account = '', period = '' } = records[0] ?? {};
  const changed = new Map(records.map(({ hash, row }) => [hash, { hash: String(row.hash), text: String(row.body) }]));
  const chats = await storedChats(archive, account, period);
  for (const row of await pagesOf(archive, account, period)) {
    const [hash, page] = [String(row.hash), String(row.body)];
    if (!hashesIn(page).some((each) => changed.has(each))) continue;
    const pieces = (JSON.parse(page) as string[]).map((piece, place) =>
      place % 2 === 1 ? (changed.get(piece)?.hash ?? piece) : piece,
    );
    const body = putTogether('page', page, (each) => changed.get(each)?.text ?? chats.get(each)?.text);
    bodies.set(hash, { hash: hashOf(body), form: 'page', body: JSON.stringify(pieces) });
  }
  const day = await dayHashes(archive, erased, account, period);
  if (day) days.set(day.before, day.after);
}

/** The hash by which the ledger knows an archive day, as it was received last: as it is, and as it will be. */
async function dayHashes(
  archive: Engine,
  erased: Erased,
  account: string,
  period: string,
): Promise<{ before: string; after: string } | undefined> {
  const received = await lastReceived(archive, account, period);
  if (received === undefined) return undefined;
  const isOfDay = (reading: Reading): reading is Reading<ArchiveUnit> =>
    reading.unit.kind === 'archive' &&
    reading.unit.day === period &&
    !reading.unit.isCompared &&
    !reading.outcome.failure;
  const readings = (await readingsOf(archive, account, received)).filter(isOfDay);
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
      note(after, erased.record(account, record));
    }
  const hashed = (of: Map<string, string>): string => hashOf([...of.values()].sort().join());
  return { before: hashed(before), after: hashed(after) };
}

/** Writes the archive anew as `file`, which must not exist. */
export async function writeChanged(archive: Store, file: string, { records, bodies }: ArchiveChanges): Promise<void> {
  const hashes = new Map([...bodies].map(([from, { hash }]) => [from, hash]));
  await writeWithout(archive, file, { chats: records, bodies: hashes });
  // Two versions may be one when what told them apart is gone, and what is left may be there already.
  const fresh = new Map<string, Row>();
  for (const [, own] of Map.groupBy(records, ({ account, period }) => JSON.stringify([account, period]))) {
    const { account = '', period = '' } = own[0] ?? {};
    const held = await recordsHeld(
      archive,
      account,
      period,
      own.map(({ row }) => String(row.hash)),
    );
    for (const { row } of own.sort((one, other) =>
      String(one.row.received_at) < String(other.row.received_at) ? -1 : 1,
    )) {
      const name = JSON.stringify([account, period, row.hash]);
      if (!held.has(String(row.hash)) && !fresh.has(name)) fresh.set(name, row);
    }
  }
  const there = await storedBodies(archive, [...hashes.values()]);
  const pages = new Map(
    [...bodies.values()].filter(({ hash }) => !there.has(hash)).map((body) => [body.hash, { ...body }]),
  );
  const written = await openRawArchive(file);
  try {
    await written.transaction(async () => {
      await written.load(rawChats, [...fresh.values()]);
      await written.load(rawBodies, [...pages.values()]);
    });
    await written.checkpoint();
  } finally {
    await written.close();
  }
}
