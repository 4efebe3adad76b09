// Rewrites the raw archive without expired content, day by day so that millions of chats fit into memory. The result is what the archive
// would hold if the source had always answered without it.
import type { Store } from '#warehouse/engine.ts';
import { changedBodies, changedDays, changedHashes, changedPeriods, changedTables } from '#warehouse/erase/changed.ts';
import { othersWithin, periodsWithin, recordsUnder, writeByTables, type AskedDays } from '#warehouse/erase/raw.ts';
import type { Begun } from '#warehouse/erase/selection.ts';
import { openTables } from '#warehouse/store/open.ts';
import type { Row } from '#warehouse/engine.ts';
import { rawChats } from '#warehouse/tables/tables.ts';
import { addDays } from '../days.ts';
import type { ErasureFilter } from '../erased/erased.ts';
import { days_after, days_before } from '../erased/old.ts';
import { changedPages, contentsOf, dayHashes, readDayOnce, type ReadDay } from './changed-day.ts';
import { hashOf } from './pages.ts';
import { recordWithout } from './omit-records.ts';

/** Days under which chats that began then may be stored. */
export const askedFor = ({ from, before }: Begun): AskedDays => ({
  from: from === null ? null : addDays(from, -days_after),
  before: addDays(before, days_before),
});

/** How much was changed. */
export interface OldWritten {
  /** Versions of chats. */
  records: number;
  pages: number;
  /** Answers that could not be read. */
  unreadable: number;
}

interface OldWriting {
  erased: ErasureFilter;
  /** When the chats began that lose something. */
  begun: Begun;
  /** Files that must not exist: the archive, and what changes, for those who write other files anew. */
  file: string;
  changed: string;
  onDay?: (done: number, days: number) => void;
}

export async function writeWithoutOld(archive: Store, writing: OldWriting): Promise<OldWritten> {
  const { erased, begun, file, changed, onDay } = writing;
  const written: OldWritten = { records: 0, pages: 0, unreadable: 0 };
  const beside = await openTables(changed, changedTables);
  try {
    const readDay = readDayOnce(archive);
    const periods = await periodsWithin(archive, askedFor(begun));
    for (const [done, { account, period }] of periods.entries()) {
      onDay?.(done, periods.length);
      await changeDay({ archive, beside, erased, readDay }, String(account), String(period), written);
    }
    for await (const rows of othersWithin(archive, askedFor(begun)))
      for (const { hash, body, account, period } of rows) {
        const left = erased.text(String(account), String(body), String(period));
        if (left === String(body)) continue;
        written.unreadable += 1;
        await beside.load(changedBodies, [{ before: hash ?? '', hash: hashOf(left), form: 'whole', body: left }]);
      }
    await beside.checkpoint();
  } finally {
    await beside.close();
  }
  await writeByTables(archive, file, changed);
  return written;
}

interface OldDay {
  archive: Store;
  beside: Store;
  erased: ErasureFilter;
  readDay: ReadDay;
}

async function changeDay(
  { archive, beside, erased, readDay }: OldDay,
  account: string,
  period: string,
  written: OldWritten,
): Promise<void> {
  const rows = new Map<string, Row>();
  const hashes: Row[] = [];
  const changed = new Map<string, { hash: string; text: string }>();
  for await (const piece of recordsUnder(archive, account, period))
    for (const row of piece) {
      const body = String(row.body);
      const left = recordWithout(erased, account, body, period);
      const hash = left === body ? String(row.hash) : hashOf(left);
      for (const content of contentsOf(body)) hashes.push({ before: content, after: left === body ? content : hash });
      if (left !== body) changed.set(String(row.hash), { hash, text: left });
      // Two versions may become equal once their differences are gone: the first one stays.
      if (!rows.has(hash)) rows.set(hash, { ...row, hash, body: left });
    }
  await beside.load(changedHashes, hashes);
  if (changed.size === 0) return;
  written.records += changed.size;
  const pages = await changedPages(archive, account, period, changed);
  written.pages += pages.length;
  const days = await dayHashes(archive, erased, account, period, readDay);
  await beside.load(changedPeriods, [{ account, period }]);
  await beside.load(rawChats, [...rows.values()]);
  await beside.load(
    changedBodies,
    pages.map((page) => ({ ...page })),
  );
  await beside.load(
    changedDays,
    days.map((day) => ({ ...day })),
  );
}
