// Compares a day of list_archives with the facts, which v2.0 feeds; nothing of it is loaded.
import { hash } from 'node:crypto';
import { threadIdOf } from '#contract/threads.ts';
import type { Queryable } from '#warehouse/engine.ts';
import { chatsStartedIn, rowsStored } from '#warehouse/ledger/stored-rows.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { boundsOf } from '../days.ts';
import type { DecodedChat, FlatRow } from '../decode/chats.ts';
import { chatsOf } from '../decode/page.ts';
import type { Bounds } from '../decode/record.ts';
import { decodeThreadRecord } from '../decode/thread-record.ts';
import { costOf, type Cost, type Gathered } from '../fetched.ts';
import { recordsOn } from '../raw/page-records.ts';
import { misfitOf } from '../redact/record.ts';
import type { ComparedDay } from '../ledger/open-days.ts';
import type { PeriodNews } from '../ledger/period.ts';
import { periodOf, type Loading } from './batch.ts';
import type { ArchiveUnit } from '../unit.ts';
import { differencesOf } from './source-differences.ts';

const compared = [
  'chats',
  'messages',
  'chat_agents',
  'chat_groups',
  'chat_tags',
  'chat_surveys',
  'chat_variables',
] as const;

/** Gives the day's news with its last part, before that nothing. The facts of the day must have been committed. */
export async function bundleComparison(loading: Loading, item: Gathered<ArchiveUnit>): Promise<PeriodNews[]> {
  const { engine, ledger, batch, bundle } = loading;
  const { unit, bodies, pages = [], failure } = item;
  const name = JSON.stringify(unit);
  const day = ledger.compared.get(name) ?? newDay(unit, batch.timezone);
  ledger.compared.set(name, day);
  day.cost = sumOf(day.cost, costOf(item));
  const records = [...bodies.flatMap(chatsOf), ...pages.flatMap((page) => recordsOn(page).map(({ record }) => record))];
  await compareRecords(loading, day, unit, records);
  if (item.isPart) return [];
  ledger.compared.delete(name);
  const period = { ...periodOf(unit, unit.day, batch), cost: day.cost };
  if (failure) return [{ ...period, state: failure.state, hash: '', rows: 0, error: failure.message }];
  const other = periodOf({ kind: 'archive', day: unit.day, path: '' }, unit.day, batch);
  await ledger.recall([other]);
  if (ledger.hashOf(other) === undefined)
    return [
      {
        ...period,
        state: 'failed',
        hash: '',
        rows: 0,
        error: 'nothing to compare with: rest_v2 has not given this day',
      },
    ];
  if (!item.shortfall)
    for (const id of await missingIn(engine, batch.account, day)) note(loading, day, unit, id, idOnly(id), undefined);
  const rows = [...day.differences.values()].flat();
  const entry = bundle.of('ledger', 'source_differences');
  entry.rows.push(...rows);
  entry.marks.push({ account: batch.account, day: unit.day });
  const said = [item.shortfall, day.misfits.size > 0 && `${day.misfits.size} records are in ledger.quarantine`];
  return [
    {
      ...{ ...period, state: 'pulled', rows: day.seen.size - day.misfits.size, total: item.total },
      hash: hash(
        'sha1',
        JSON.stringify([[...day.seen].sort(), rows.map(({ seen_at: _, ...row }) => row)]),
        'base64url',
      ),
      error: said.filter((each) => typeof each === 'string').join('; ') || undefined,
    },
  ];
}

const newDay = ({ day }: ArchiveUnit, timezone: string): ComparedDay => ({
  ...{ bounds: boundsOf(day, timezone), seen: new Set(), misfits: new Set(), differences: new Map() },
  cost: { attempts: 0, bytes: 0, milliseconds: 0 },
});

const sumOf = (a: Cost, b: Cost): Cost => ({
  attempts: a.attempts + b.attempts,
  bytes: a.bytes + b.bytes,
  milliseconds: a.milliseconds + b.milliseconds,
});

async function compareRecords(
  loading: Loading,
  day: ComparedDay,
  unit: ArchiveUnit,
  records: readonly unknown[],
): Promise<void> {
  const { engine, ledger, batch, bundle, tally, erased, redaction } = loading;
  const { account, pull_id } = batch;
  const threads = new Map<string, DecodedChat>();
  for (const received of records) {
    const record = erased.record(account, received, unit.day);
    const id = threadIdOf(record) ?? hash('sha1', JSON.stringify(record), 'base64url');
    day.seen.add(id);
    const rows = decodeThreadRecord(record, { account, pull_id, content_hash: '', redaction }, day.bounds);
    if (typeof rows !== 'string') {
      threads.set(id, rows);
      day.misfits.delete(id);
      const mark = ledger.quarantine.release(compared_source, id, account);
      if (mark) bundle.setAside(mark);
      continue;
    }
    day.misfits.add(id);
    tally.quarantined += 1;
    const misfit = { source: compared_source, record_id: id, ...misfitOf(redaction, rows, record) };
    bundle.setAside(...ledger.quarantine.add(misfit, batch));
  }
  const facts = await factsOf(engine, account, [...threads.keys()], day.bounds);
  for (const [id, rows] of threads) note(loading, day, unit, id, facts.get(id), rows);
}

/** Its name in the ledger and in quarantine. */
const compared_source = 'archive_v3';

/** Repeats the comparison of a thread that is received again. */
function note(
  { batch }: Loading,
  day: ComparedDay,
  unit: ArchiveUnit,
  chat_id: string,
  v2: DecodedChat | undefined,
  v3: DecodedChat | undefined,
): void {
  day.differences.set(
    chat_id,
    differencesOf(v2, v3).map(({ field, rest_v2, agent_v3 }) => ({
      ...{ account: batch.account, day: unit.day, chat_id, field, rest_v2, agent_v3, seen_at: batch.now },
    })),
  );
}

const idOnly = (chat_id: string): DecodedChat => ({
  ...{ chats: [{ chat_id }], messages: [], chat_agents: [], chat_turns: [], chat_groups: [], chat_tags: [] },
  ...{ chat_goals: [], chat_surveys: [], chat_variables: [] },
});

/** Chats of the day that v2.0 has and v3.5 does not. */
async function missingIn(engine: Queryable, account: string, { bounds, seen }: ComparedDay): Promise<string[]> {
  const rows = await chatsStartedIn(engine, account, bounds);
  return rows.map(({ chat_id }) => String(chat_id)).filter((id) => !seen.has(id));
}

/** The decoded facts of those chats. */
async function factsOf(
  engine: Queryable,
  account: string,
  ids: readonly string[],
  bounds: Bounds,
): Promise<Map<string, DecodedChat>> {
  const found = new Map<string, DecodedChat>();
  if (ids.length === 0) return found;
  for (const name of compared) {
    const { columns } = tableOf('facts', name);
    for (const row of await rowsStored(engine, account, name, ids, bounds)) {
      const id = String(row.chat_id);
      if (name === 'chats') found.set(id, idOnly(id));
      const chat = found.get(id);
      const decoded = Object.entries(row).map(([column, value]) =>
        columns[column]?.type === 'instant' && value !== null
          ? [column, Date.parse(String(value)) / 1000]
          : [column, value],
      );
      if (name === 'chats') chat!.chats = [];
      chat?.[name].push(Object.fromEntries(decoded) as FlatRow);
    }
  }
  return found;
}
