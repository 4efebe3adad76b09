// The raw archive without those who are erased: which records and pages of it change, and the file written anew. What stays is
// what would be there if the source had always answered without them, so that the next answer is no change.
import type { Engine, Row, Store } from '#warehouse/engine.ts';
import { othersHolding, recordsHeld, recordsHolding, writeWithout } from '#warehouse/erase/raw.ts';
import type { ErasedId } from '#warehouse/erase/selection.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import { rawBodies, rawChats } from '#warehouse/tables/tables.ts';
import type { ErasureFilter } from '../erased/erased.ts';
import { storedBodies } from './bodies.ts';
import { changedPages, contentsOf, dayHashes, readDayOnce } from './changed-day.ts';
import { hashOf } from './pages.ts';
import { recordWithout } from './omit-records.ts';

/** A record, and its remainder after the erasure. */
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
  /** The same of checked records that stay. */
  staying: Set<string>;
  /** Hashes of days as the ledger names them. */
  days: Map<string, string>;
}

/** `words`: ids and addresses, at least one of which occurs in every record to check. */
export async function changesIn(
  archive: Engine,
  erased: ErasureFilter,
  chats: readonly ErasedId[],
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
      const left = recordWithout(erased, account, body, period);
      const hash = String(row.hash);
      if (left === body) for (const content of contentsOf(body)) changes.staying.add(content);
      if (left === body) continue;
      changes.records.push({ account, period, hash, row: { ...row, hash: hashOf(left), body: left } });
      for (const content of contentsOf(body)) changes.contents.set(content, hashOf(left));
    }
  const days = Map.groupBy(changes.records, ({ account, period }) => JSON.stringify([account, period]));
  const readDay = readDayOnce(archive);
  for (const own of days.values()) {
    const { account = '', period = '' } = own[0] ?? {};
    const changed = new Map(own.map(({ hash, row }) => [hash, { hash: String(row.hash), text: String(row.body) }]));
    for (const { before, ...body } of await changedPages(archive, account, period, changed))
      changes.bodies.set(before, body);
    for (const { before, after } of await dayHashes(archive, erased, account, period, readDay))
      changes.days.set(before, after);
  }
  const all = [...words, ...chats.map(({ id }) => id)];
  for (const { hash, body, account } of await othersHolding(archive, all)) {
    const left = erased.text(String(account), String(body), '');
    if (left === String(body)) continue;
    changes.bodies.set(String(hash), { hash: hashOf(left), form: 'whole', body: left });
  }
  return changes;
}

/** Writes the archive anew as `file`, which must not exist. */
export async function writeChanged(archive: Store, file: string, { records, bodies }: ArchiveChanges): Promise<void> {
  const hashes = new Map([...bodies].map(([from, { hash }]) => [from, hash]));
  await writeWithout(archive, file, { chats: records, bodies: hashes });
  // Two versions may become equal once their differences are erased, and the remainder may already exist.
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
