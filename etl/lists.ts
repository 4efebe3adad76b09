// The account lists of a pull: stored whole by content, and the groups and agents that the plan then asks about.
import { hash } from 'node:crypto';
import type { Queryable, Row } from '#warehouse/engine.ts';
import { groupsAndAgents, listStored, namesListed } from '#warehouse/ledger/stored-rows.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { decodeList, type ListRows } from './decode/account.ts';
import type { FlatRow } from './decode/chats.ts';
import type { SeenNames } from './decode/names.ts';
import { dayOf } from './days.ts';
import { costOf, failureOf, type Failure, type Gathered } from './fetched.ts';
import { gather, type Gathering } from './fetch/gather.ts';
import { Interrupted, Unreachable } from './errors.ts';
import { html_page } from './fetch/refusal.ts';
import type { PeriodNews } from './ledger/period.ts';
import type { Misfit } from './ledger/quarantine.ts';
import { cannedResponsesOf, listUnits, type Splits } from './plan/plan.ts';
import type { Run } from './run.ts';
import type { ListUnit } from './unit.ts';

/** Asks all lists, keeps them raw and loads them. Returns the groups and agents to ask about. */
export async function pullLists(run: Run): Promise<Splits> {
  const { gathering } = run;
  const now = run.clock();
  let first: Gathered<ListUnit>[] = [];
  let more: Gathered<ListUnit>[] = [];
  try {
    // Nothing is kept in between: what is in the raw archive at a rest is in the warehouse too.
    await run.rests.away(async () => {
      first = await gatherAll(listUnits(), gathering);
      more = await gatherAll(groupsIn(first).map(cannedResponsesOf), gathering);
    });
  } finally {
    await run.archive.keep(run, first, now);
  }
  refuseStranger(first);
  await run.archive.keep(run, more, now);
  run.tally.quarantined += await loadLists(run, [...first, ...more], now);
  return groupsAndAgents(run.engine, run.account);
}

/** Whether an answer does not come from the API at all: a website, a login page, another path. */
const isStrange = ({ failure }: Gathered): boolean =>
  failure !== undefined &&
  (failure.state === 'gone' ||
    Math.floor(failure.status / 100) === 3 ||
    (failure.state === 'quarantined' && failure.message.endsWith(html_page)));

/** @throws Unreachable if every list is missing: otherwise reports would be recorded as gone and not asked for a day. */
function refuseStranger(gathered: readonly Gathered<ListUnit>[]): void {
  if (!gathered.every(isStrange)) return;
  throw new Unreachable(`what answers is not the API of an account (${gathered[0]?.failure?.message})`);
}

/** In the order of the units. */
async function gatherAll(units: readonly ListUnit[], gathering: Gathering): Promise<Gathered<ListUnit>[]> {
  const gathered: Gathered<ListUnit>[] = [];
  await Promise.all(
    units.map((unit, place) => gather(unit, gathering, (item) => Promise.resolve(void (gathered[place] = item)))),
  );
  if (gathering.fetcher.has_ended()) throw new Interrupted();
  return gathered;
}

/** The plain list of canned responses covers group 0 only; each other group is asked separately. */
function groupsIn(gathered: readonly Gathered<ListUnit>[]): number[] {
  const groups = gathered.find(({ unit }) => unit.list === 'groups');
  const decoded = groups && tryDecode(groups);
  if (!decoded || 'failure' in decoded) return [];
  return (decoded.rows.groups ?? []).map((row) => Number(row.group_id)).filter((group) => group !== 0);
}

/** The parts of a run that the lists need. */
type ListRun = Pick<Run, 'account' | 'timezone' | 'pull_id' | 'engine' | 'ledger' | 'failed' | 'has_news'>;

/** The rows of a table of the account as one pull brought them. */
interface FetchedList {
  rows: FlatRow[];
  /** A part failed or a record could not be decoded, so missing records are not necessarily gone. */
  isPartial: boolean;
}

/** Writes the lists of one pull; `now` (Unix seconds) is when they were received. Returns how many records were set aside. */
export async function loadLists(run: ListRun, gathered: readonly Gathered<ListUnit>[], now: number): Promise<number> {
  const brought = new Map<string, FetchedList>();
  const news: PeriodNews[] = [];
  const aside = new Aside(run, now);
  for (const item of gathered) {
    const { list } = item.unit;
    const decoded = tryDecode(item);
    if ('failure' in decoded) {
      run.failed += 1;
      for (const table of tablesOf(list)) add(brought, table, [], true);
    } else {
      for (const [table, rows] of Object.entries(decoded.rows)) add(brought, table, rows, decoded.misfits.length > 0);
      for (const misfit of decoded.misfits) aside.add({ source: `account.${list}`, ...misfit });
    }
    if (isWhole(item.unit)) news.push(newsOf(item, decoded, run, now));
  }
  // TRICKY: a record received without its id is quarantined under another one; it is released when the list arrives complete.
  for (const list of new Set(gathered.map(({ unit }) => unit.list)))
    if (tablesOf(list).every((table) => brought.get(table)?.isPartial === false)) aside.release(`account.${list}`);
  const { rows: periods } = run.ledger.note(news, now, run.pull_id);
  await run.engine.transaction(async () => {
    for (const [name, what] of brought) await replaceList(run, name, what, now);
    const [kept, about] = [tableOf('ledger', 'quarantine'), tableOf('ledger', 'periods')];
    await run.engine.load(kept, aside.rows, { replacing: kept.key, marks: aside.marks });
    await run.engine.load(about, periods, { replacing: about.key });
  });
  return aside.rows.length;
}

/** Records that enter and leave quarantine. */
class Aside {
  readonly rows: FlatRow[] = [];
  readonly marks: FlatRow[] = [];
  readonly #run: ListRun;
  readonly #now: number;
  constructor(run: ListRun, now: number) {
    this.#run = run;
    this.#now = now;
  }

  add(misfit: Misfit): void {
    const [mark, row] = this.#run.ledger.quarantine.add(misfit, { ...this.#run, now: this.#now });
    this.marks.push(mark);
    this.rows.push(row);
  }

  /** Everything of a list. */
  release(source: string): void {
    const { quarantine } = this.#run.ledger;
    for (const id of quarantine.ids(source)) {
      const mark = quarantine.release(source, id, this.#run.account);
      if (mark) this.marks.push(mark);
    }
  }
}

/** Not the part of a list that one group has. */
const isWhole = (unit: ListUnit): boolean => listUnits().some(({ path }) => path === unit.path);

/** Lists whose own answer failed provide no rows and leave their tables unchanged. */
const tablesOf = (list: ListUnit['list']): string[] => (list === 'groups' ? ['groups', 'group_agents'] : [list]);

function add(brought: Map<string, FetchedList>, table: string, rows: readonly FlatRow[], isPartial: boolean): void {
  const before = brought.get(table) ?? { rows: [], isPartial: false };
  brought.set(table, { rows: [...before.rows, ...rows], isPartial: before.isPartial || isPartial });
}

function tryDecode({ unit, bodies, failure }: Gathered<ListUnit>): ListRows | { failure: Failure } {
  if (failure) return { failure };
  try {
    return decodeList(unit.list, bodies[0]);
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function newsOf(
  gathered: Gathered<ListUnit>,
  decoded: ListRows | { failure: Failure },
  { timezone }: ListRun,
  now: number,
): PeriodNews {
  const { unit, bodies } = gathered;
  // TRICKY: goals and greetings are reports too; a list noted under the same name would count as today's report.
  const key = { timezone, source: `account.${unit.list}`, grain: 'day', split: 'account', split_value: '' } as const;
  const period = { ...key, day: dayOf(now, timezone), cost: costOf(gathered) };
  if ('failure' in decoded)
    return { ...period, state: decoded.failure.state, hash: '', rows: 0, error: decoded.failure.message };
  const { misfits, good } = decoded;
  return {
    ...{ ...period, state: 'pulled', hash: hash('sha1', JSON.stringify(bodies), 'base64url'), rows: good.length },
    error: misfits.length > 0 ? `${misfits.length} records are in ledger.quarantine` : undefined,
    misfits: misfits.length,
  };
}

/** A list is replaced as a whole, and only if it changed; a former agent stays, marked as removed. */
async function replaceList(run: ListRun, name: string, { rows, isPartial }: FetchedList, now: number): Promise<void> {
  const { engine, account } = run;
  const table = tableOf('account', name);
  const columns = Object.keys(table.columns).filter((column) => column !== 'pulled_at' && column !== 'account');
  const before = await listStored(engine, account, name, columns);
  const keys = table.key.filter((column) => column !== 'account');
  const keyOf = (row: Row): string => JSON.stringify(keys.map((column) => row[column]));
  const newest = new Map(rows.map((row) => [keyOf(row), row]));
  const missing = before.filter((row) => !newest.has(keyOf(row)));
  const kept = isPartial ? missing : name === 'agents' ? missing.map(removed) : [];
  const all = [...newest.values(), ...kept].map((row): FlatRow => ({ account, ...row, pulled_at: now }));
  if (contentOf(before, columns) === contentOf(all, columns)) return;
  await engine.load(table, all, { replacing: ['account'], marks: [{ account }] });
  run.has_news = true;
}

const removed = (agent: Row): FlatRow => ({ ...agent, status: 'offline', is_removed: true });

/** Instants are read as text and written as numbers: both are compared as milliseconds. */
const contentOf = (rows: readonly Row[], columns: readonly string[]): string =>
  rows
    .map((row) => JSON.stringify(columns.map((column) => comparable(column, row[column] ?? null))))
    .sort()
    .join();

const comparable = (column: string, value: Row[string]): unknown => {
  if (value === null || !column.endsWith('_at')) return value;
  return typeof value === 'number' ? value * 1000 : Date.parse(String(value));
};

/** Everybody and everything that an archived chat may name, also removed agents. */
export async function namesOf(engine: Queryable, account: string): Promise<SeenNames> {
  const named = async (table: string, column: string): Promise<Set<string>> =>
    new Set(await namesListed(engine, account, table, column));
  return {
    groups: await named('groups', 'group_id'),
    agents: await named('agents', 'login'),
    tags: await named('tags', 'name'),
  };
}
