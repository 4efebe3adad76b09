// The pages of an archive day become chats of the facts, part by part; the day is closed by its last part.
import { setImmediate as turn } from 'node:timers/promises';
import { pageSize } from '#contract/archive.ts';
import type { Queryable, Row } from '#warehouse/engine.ts';
import { chatsNamed, chatsStartedIn } from '#warehouse/ledger/stored-rows.ts';
import { recordsOf, type ArchiveRecords } from '../decode/archives.ts';
import { boundsOf } from '../days.ts';
import { chatsOf } from '../decode/page.ts';
import { costOf, type Cost, type Gathered } from '../fetched.ts';
import type { OpenDay, StoredChat } from '../ledger/open-days.ts';
import type { PeriodNews } from '../ledger/period.ts';
import { readShort, recordsOn, wholeOf, type PageRecord } from '../raw/page-records.ts';
import { contentHash, hashOf } from '../raw/pages.ts';
import { misfitOf } from '../redact/record.ts';
import { periodOf, type Batch, type Loading } from './batch.ts';
import type { ArchiveUnit } from '../unit.ts';

/** Gives the day's news with its last part, before that nothing. */
export async function bundleArchive(loading: Loading, item: Gathered<ArchiveUnit>): Promise<PeriodNews[]> {
  const { engine, ledger, batch, erased } = loading;
  const { unit, failure } = item;
  const name = JSON.stringify(unit);
  const day = ledger.open.get(name) ?? (await openDay(loading, unit));
  ledger.open.set(name, day);
  addCost(day.cost, costOf(item));
  const read = recordsOf(unit);
  const strangers: Came[] = [];
  let count = 0;
  for (const received of recordsIn(item, erased.isEmpty)) {
    const came = withoutErased(received, erased.record(batch.account, received.record, unit.day));
    if (isOfDay(day, came.record, read)) bundleRecord(loading, day, came, read);
    else strangers.push(came);
    // Yields to the writer, which runs statement by statement and waits here for its turn.
    if (++count % pageSize === 0) await turn();
  }
  const stored = await storedElsewhere(engine, batch.account, strangers, read);
  for (const came of strangers) bundleRecord(loading, day, came, read, stored);
  if (item.isPart) return [];
  ledger.open.delete(name);
  // A chat that the source no longer lists on this day is deleted, but only if the day was read completely.
  if (!failure && !item.shortfall)
    for (const [id, before] of day.stored) loading.bundle.removeChat(batch.account, id, before);
  return [closed(item, day, batch)];
}

/** A record, and what is known about it; its hash is unknown if its text is, or if something of it was left out. */
interface Came extends PageRecord {
  /** The pull that brought it first, if the raw archive says so. */
  pull_id?: string;
}

/**
 * Records of parsed pages first, then of pages parsed only now, then those without pages. Pages parsed and used at once die young and
 * cost the garbage collector nothing.
 */
function* recordsIn({ bodies, pages = [], records = [] }: Gathered<ArchiveUnit>, isShort: boolean): Generator<Came> {
  for (const body of bodies) for (const record of chatsOf(body)) yield { record };
  for (const page of pages) yield* recordsOn(page, isShort);
  for (const { text, hash, pull_id } of records) {
    const came: Came = isShort && hash !== undefined ? readShort(text) : { record: JSON.parse(text) as unknown };
    if (hash !== undefined) came.content_hash = contentHash(text, () => wholeOf(came), hash);
    if (pull_id !== undefined) came.pull_id = pull_id;
    yield came;
  }
}

function withoutErased(came: Came, record: unknown): Came {
  if (record === came.record) return came;
  const { content_hash: _, ...known } = came;
  return { ...known, record };
}

/** A chat that began on another day has to be looked up among the facts of that day. */
function isOfDay({ bounds, hashes }: OpenDay, record: unknown, read: ArchiveRecords): boolean {
  const started = read.startOf(record);
  const id = read.idOf(record);
  return id === undefined || hashes.has(id) || (started >= bounds.first && started < bounds.last);
}

async function openDay({ engine, batch, previous }: Loading, { day }: ArchiveUnit): Promise<OpenDay> {
  const bounds = boundsOf(day, batch.timezone);
  const stored = storedOf(await chatsStartedIn(engine, batch.account, bounds));
  for (const [id, chat] of previous?.chats() ?? []) {
    if (!chat) stored.delete(id);
    else if (chat.started_quarter * 900 >= bounds.first && chat.started_quarter * 900 < bounds.last)
      stored.set(id, chat);
  }
  return {
    ...{ bounds, stored, seen: new Map(), hashes: new Map() },
    ...{ rows_new: 0, rows_changed: 0, cost: { attempts: 0, bytes: 0, milliseconds: 0 } },
  };
}

function addCost(to: Cost, more: Cost): void {
  to.attempts += more.attempts;
  to.bytes += more.bytes;
  to.milliseconds += more.milliseconds;
}

/** For a chat on two pages, because pages shifted, the later page applies. */
function bundleRecord(
  loading: Loading,
  day: OpenDay,
  came: Came,
  read: ArchiveRecords,
  strangers?: ReadonlyMap<string, StoredChat>,
): void {
  const { batch, tally, redaction } = loading;
  const { record } = came;
  const content_hash = came.content_hash ?? hashOf(JSON.stringify(wholeOf(came)));
  const id = read.idOf(record) ?? content_hash;
  if (day.hashes.get(id) === content_hash) return;
  const isFirst = !day.hashes.has(id);
  const before = day.seen.get(id) ?? storedVersion(loading, id, day.stored.get(id) ?? strangers?.get(id));
  day.hashes.set(id, content_hash);
  day.stored.delete(id);
  release(loading, id);
  if (before && isSame(before, came, content_hash)) {
    day.seen.set(id, before);
    tally.chats_unchanged += 1;
    return;
  }
  const { account } = batch;
  const pull_id = came.pull_id ?? batch.pull_id;
  const from = { account, pull_id, content_hash, redaction };
  let rows = read.decode(record, from, day.bounds);
  // A complaint is about all that was received.
  if (typeof rows === 'string' && came.text !== undefined) rows = read.decode(wholeOf(came), from, day.bounds);
  if (typeof rows === 'string') {
    day.seen.set(id, before ?? null);
    setAside(loading, id, rows, wholeOf(came));
    return;
  }
  loading.bundle.addChat(id, rows, before);
  day.seen.set(id, { content_hash, started_quarter: Number(rows.chats[0]?.started_quarter) });
  if (!isFirst) return;
  day[before ? 'rows_changed' : 'rows_new'] += 1;
  tally[before ? 'chats_changed' : 'chats_new'] += 1;
}

/** Earlier versions of the program knew a record by the hash of what they wrote again, a number perhaps in another way than received. */
const isSame = (before: StoredChat, came: Came, content_hash: string): boolean =>
  before.content_hash === content_hash || before.content_hash === hashOf(JSON.stringify(wholeOf(came)));

/** TRICKY: a chat may be listed under two days, and the other one may not be committed yet. */
function storedVersion(
  { bundle, previous }: Loading,
  id: string,
  committed: StoredChat | undefined,
): StoredChat | undefined {
  const coming = bundle.chat(id);
  const on_its_way = coming === undefined ? previous?.chat(id) : coming;
  return on_its_way === undefined ? committed : (on_its_way ?? undefined);
}

function setAside(loading: Loading, record_id: string, complaint: string, record: unknown): void {
  const { bundle, batch, ledger, tally, redaction } = loading;
  tally.quarantined += 1;
  const misfit = { source: 'archive', record_id, ...misfitOf(redaction, complaint, record) };
  bundle.setAside(...ledger.quarantine.add(misfit, batch));
}

function release({ bundle, batch, ledger }: Loading, record_id: string): void {
  const mark = ledger.quarantine.release('archive', record_id, batch.account);
  if (mark) bundle.setAside(mark);
}

function closed({ unit, failure, shortfall, total }: Gathered<ArchiveUnit>, day: OpenDay, batch: Batch): PeriodNews {
  const { rows_new, rows_changed, cost } = day;
  const misfits = [...day.seen.values()].filter((chat) => chat === null).length;
  const said = [
    ...(failure ? [failure.message] : []),
    ...(shortfall ? [shortfall] : []),
    ...(misfits > 0 ? [`${misfits} records are in ledger.quarantine`] : []),
  ];
  return {
    ...{ ...periodOf(unit, unit.day, batch), state: failure?.state ?? 'pulled', total },
    hash: failure ? '' : hashOf([...day.hashes.values()].sort().join()),
    ...{ rows: day.seen.size - misfits, rows_new, rows_changed, cost },
    error: said.length > 0 ? said.join('; ') : undefined,
    misfits,
  };
}

const storedOf = (rows: readonly Row[]): Map<string, StoredChat> =>
  new Map(
    rows.map(({ chat_id, content_hash, started_quarter }) => [
      String(chat_id),
      { content_hash: String(content_hash), started_quarter: Number(started_quarter) },
    ]),
  );

/** For records that started on another day than requested, what the facts hold. */
async function storedElsewhere(
  engine: Queryable,
  account: string,
  strangers: readonly Came[],
  read: ArchiveRecords,
): Promise<Map<string, StoredChat>> {
  const ids = strangers.flatMap(({ record }) => read.idOf(record) ?? []);
  return ids.length === 0 ? new Map() : storedOf(await chatsNamed(engine, account, ids));
}
