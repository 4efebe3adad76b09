// Writes gathered answers to the warehouse: facts, reports and ledger of a batch in one transaction.
import { createHash } from 'node:crypto';
import { archivedChat, archivePage } from '#contract/archive.ts';
import { reports } from '#contract/reports.ts';
import { tableOf, type Table } from '#warehouse/tables.ts';
import type { Engine } from '#warehouse/engine.ts';
import { decodeChat, type ChatRows, type FlatRow } from './decode-chats.ts';
import { decodeReport } from './decode-reports.ts';
import { boundsOf, daysBetween } from './days.ts';
import { failureOf, type Failure, type Gathered } from './gather.ts';
import type { Ledger, Noted, PeriodKey, PeriodNews, Tally } from './ledger.ts';
import type { ArchiveUnit, ReportUnit, Unit } from './plan.ts';

export interface Batch {
  account: string;
  timezone: string;
  pull_id: string;
  /** Unix seconds. */
  now: number;
}

/** Rows to insert and marks of the rows that they replace, by table. */
class Bundle {
  readonly tables = new Map<Table, { rows: FlatRow[]; marks: FlatRow[] }>();
  of(table: Table): { rows: FlatRow[]; marks: FlatRow[] } {
    let entry = this.tables.get(table);
    if (!entry) this.tables.set(table, (entry = { rows: [], marks: [] }));
    return entry;
  }
}

const factTables = [
  'chats',
  'messages',
  'chat_agents',
  'chat_groups',
  'chat_tags',
  'chat_goals',
  'chat_surveys',
] as const;
const factKey = ['account', 'chat_id'];
const dayKey = ['account', 'timezone', 'grain', 'split', 'split_value', 'day'];
const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64url');

/** Returns the days whose content changed since they were last received, and whether anything is new at all. */
export async function load(
  engine: Engine,
  ledger: Ledger,
  gathered: readonly Gathered<Unit>[],
  batch: Batch,
  tally: Tally,
): Promise<Pick<Noted, 'changed' | 'has_news'>> {
  const bundle = new Bundle();
  const news: PeriodNews[] = [];
  for (const item of gathered) {
    if (item.failure) news.push(...failedPeriods(item.unit, item.failure, batch));
    else if (item.unit.kind === 'report') news.push(...bundleReport(bundle, item as Gathered<ReportUnit>, batch));
    else news.push(await bundleArchive(engine, bundle, item as Gathered<ArchiveUnit>, batch, tally));
  }
  const { rows, changed, has_news } = ledger.note(news, batch.now, batch.pull_id);
  bundle.of(tableOf('ledger', 'periods')).rows.push(...rows);
  await engine.transaction(async () => {
    for (const [table, { rows, marks }] of bundle.tables) {
      await engine.load(table, rows, { replacing: replacingOf(table), marks: marks.length > 0 ? marks : rows });
    }
  });
  return { changed, has_news };
}

function replacingOf(table: Table): readonly string[] {
  if (table.schema === 'facts') return factKey;
  if (table.schema !== 'reports') return table.key;
  return table.name === 'goals' ? [...dayKey, 'sales_tracker'] : dayKey;
}

const periodOf = (unit: Unit, day: string, { timezone }: Batch): PeriodKey =>
  unit.kind === 'archive'
    ? { timezone, source: 'archive', grain: 'day', split: 'account', split_value: '', day }
    : {
        timezone,
        source: unit.source,
        grain: unit.asked.grain,
        split: unit.asked.split,
        split_value: unit.asked.split_value,
        day,
      };

/** Local days that a unit asks about. */
export const daysOf = (unit: Unit): string[] =>
  unit.kind === 'archive' ? [unit.day] : daysBetween(unit.asked.from, unit.to);

const failedPeriods = (unit: Unit, { state, message }: Failure, batch: Batch): PeriodNews[] =>
  daysOf(unit).map((day) => ({ ...periodOf(unit, day, batch), state, hash: '', rows: 0, error: message }));

function bundleReport(bundle: Bundle, { unit, bodies }: Gathered<ReportUnit>, batch: Batch): PeriodNews[] {
  let days: Map<string, FlatRow[]>;
  try {
    days = decodeReport(unit.report, bodies[0], unit.asked);
  } catch (error) {
    return failedPeriods(unit, failureOf(error), batch);
  }
  const entry = bundle.of(tableOf('reports', unit.report));
  const { keyed } = reports[unit.report];
  // A ranking without rated agents names no row, but its day has been answered.
  const answered = keyed === 'ranking' ? daysOf(unit) : [...days.keys()];
  const missing = keyed === 'period' ? daysOf(unit).filter((day) => !days.has(day)) : [];
  const silent = missing.map((day): PeriodNews => ({
    ...periodOf(unit, day, batch),
    state: 'failed',
    hash: '',
    rows: 0,
    error: 'the answer does not name this day',
  }));
  const news = answered.map((day): PeriodNews => {
    const rows = days.get(day) ?? [];
    const period = periodOf(unit, day, batch);
    const { sales_tracker } = unit.asked;
    entry.rows.push(...rows.map((row) => ({ ...row, pulled_at: batch.now, pull_id: batch.pull_id })));
    entry.marks.push({ account: batch.account, ...period, ...(sales_tracker === undefined ? {} : { sales_tracker }) });
    return { ...period, state: 'pulled' as const, hash: hashOf(JSON.stringify(rows)), rows: rows.length };
  });
  return [...news, ...silent];
}

async function bundleArchive(
  engine: Engine,
  bundle: Bundle,
  { unit, bodies, total }: Gathered<ArchiveUnit>,
  batch: Batch,
  tally: Tally,
): Promise<PeriodNews> {
  const stored = await storedHashes(engine, unit, batch);
  const hashes: string[] = [];
  let quarantined = 0;
  for (const record of uniqueById(bodies)) {
    const text = JSON.stringify(record);
    const content_hash = hashOf(text);
    hashes.push(content_hash);
    const chat = archivedChat.safeParse(record);
    const id = (record as { id?: string } | null)?.id ?? content_hash;
    const before = stored.get(id);
    stored.delete(id);
    if (!chat.success) {
      quarantined += 1;
      quarantine(bundle, batch, id, chat.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '), text);
      continue;
    }
    tally[before === undefined ? 'chats_new' : before === content_hash ? 'chats_unchanged' : 'chats_changed'] += 1;
    if (before !== content_hash) bundleChat(bundle, decodeChat(chat.data, { ...batch, content_hash }));
  }
  // What the source no longer has on this day is no fact any more.
  for (const chat_id of stored.keys()) {
    for (const name of factTables) bundle.of(tableOf('facts', name)).marks.push({ account: batch.account, chat_id });
  }
  const hash = hashOf(hashes.sort().join());
  return {
    ...periodOf(unit, unit.day, batch),
    state: 'pulled',
    hash,
    rows: hashes.length - quarantined,
    total,
    error: quarantined ? `${quarantined} records are in ledger.quarantine` : undefined,
  };
}

function bundleChat(bundle: Bundle, rows: ChatRows): void {
  const { account = '', chat_id = '' } = rows.chats[0] ?? {};
  for (const name of factTables) {
    const entry = bundle.of(tableOf('facts', name));
    for (const row of rows[name]) entry.rows.push(row);
    entry.marks.push({ account, chat_id });
  }
}

function quarantine(bundle: Bundle, batch: Batch, record_id: string, reason: string, body: string): void {
  const { account, pull_id, now } = batch;
  const row = { account, source: 'archive', record_id, reason, body, seen_at: now, pull_id };
  bundle.of(tableOf('ledger', 'quarantine')).rows.push(row);
}

/** A chat that stands on two pages because pages shifted is taken once, as the later page has it. */
function uniqueById(bodies: readonly unknown[]): unknown[] {
  const chats = bodies.flatMap((body) => archivePage.parse(body).chats);
  return [...new Map(chats.map((chat, place) => [(chat as { id?: string } | null)?.id ?? place, chat])).values()];
}

/** Content hashes by id of the chats that the facts hold for the unit's local day. */
async function storedHashes(engine: Engine, unit: ArchiveUnit, batch: Batch): Promise<Map<string, string>> {
  const { param } = engine.dialect;
  const { first, last } = boundsOf(unit.day, batch.timezone);
  const rows = await engine.query(
    `select chat_id, content_hash
     from facts.chats
     where account = ${param('account', 'text')}
       and started_second >= ${param('first', 'bigint')}
       and started_second < ${param('last', 'bigint')}`,
    { account: batch.account, first, last },
  );
  return new Map(rows.map((row) => [String(row.chat_id), String(row.content_hash)]));
}
