// The account lists of a pull: stored whole by content, and the groups and agents that the plan then asks about.
import { createHash } from 'node:crypto';
import { tableOf } from '#warehouse/tables.ts';
import type { Engine, Row } from '#warehouse/engine.ts';
import { decodeList, decodeStatus } from './decode-account.ts';
import type { FlatRow } from './decode-chats.ts';
import { dayOf } from './days.ts';
import { failureOf, gather, type Gathered } from './gather.ts';
import type { PeriodNews } from './ledger.ts';
import { cannedResponsesOf, listUnits, type ListUnit, type Splits } from './plan.ts';
import { keepRaw, type Run } from './run.ts';

export async function pullLists(run: Run): Promise<Splits> {
  const first = await Promise.all(listUnits().map((unit) => gather(unit, run.fetcher)));
  await keepRaw(run, first);
  const rows = new Map<string, FlatRow[]>();
  const news = first.map((item) => decodeInto(rows, item, run));
  await pullCannedResponses(run, rows);
  const { rows: periods } = run.ledger.note(news, run.clock(), run.pull_id);
  await run.engine.transaction(async () => {
    for (const [name, decoded] of rows) await replaceList(run, name, decoded);
    const table = tableOf('ledger', 'periods');
    await run.engine.load(table, periods, { replacing: table.key });
  });
  return splitsOf(run.engine, run.account);
}

/** The plain list answers group 0 only; every other group is asked for its own. */
async function pullCannedResponses(run: Run, rows: Map<string, FlatRow[]>): Promise<void> {
  const groups = (rows.get('groups') ?? []).map((row) => Number(row.group_id)).filter((group) => group !== 0);
  const more = await Promise.all(groups.map((group) => gather(cannedResponsesOf(group), run.fetcher)));
  await keepRaw(run, more);
  for (const item of more) decodeInto(rows, item, run);
  const all = rows.get('canned_responses');
  if (all) rows.set('canned_responses', [...new Map(all.map((row) => [row.response_id, row])).values()]);
}

function decodeInto(rows: Map<string, FlatRow[]>, { unit, bodies, failure }: Gathered<ListUnit>, run: Run): PeriodNews {
  // TRICKY: goals and greetings are reports too; a list noted under the same name would count as today's report.
  const key = {
    timezone: run.timezone,
    source: `account.${unit.list}`,
    grain: 'day',
    split: 'account',
    split_value: '',
  } as const;
  const day = dayOf(run.clock(), run.timezone);
  const failed = failure ?? tryDecode(rows, unit, bodies[0]);
  if (failed) {
    run.failed += 1;
    return { ...key, day, state: failed.state, hash: '', rows: 0, error: failed.message };
  }
  const hash = createHash('sha1').update(JSON.stringify(bodies)).digest('base64url');
  return { ...key, day, state: 'pulled', hash, rows: Array.isArray(bodies[0]) ? bodies[0].length : 1 };
}

function tryDecode(rows: Map<string, FlatRow[]>, unit: ListUnit, body: unknown) {
  try {
    const decoded = unit.list === 'status' ? decodeStatus(body) : decodeList(unit.list, body);
    for (const [name, more] of Object.entries(decoded)) rows.set(name, [...(rows.get(name) ?? []), ...more]);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

/** A list is replaced whole, and only when it says something new; an agent who is gone stays, marked as removed. */
async function replaceList(run: Run, name: string, decoded: FlatRow[]): Promise<void> {
  const { engine, account } = run;
  const table = tableOf('account', name);
  const columns = Object.keys(table.columns).filter((column) => column !== 'pulled_at' && column !== 'account');
  const before = await engine.query(
    `select ${columns.map((column) => `"${column}"`).join(', ')}
     from account.${name}
     where account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  const kept = name === 'agents' ? removedAgents(before, decoded) : [];
  const rows = [...decoded, ...kept].map((row) => ({ account, ...row, pulled_at: run.clock() }));
  if (contentOf(before, columns) === contentOf(rows, columns)) return;
  await engine.load(table, rows, { replacing: ['account'], marks: [{ account }] });
  run.has_news = true;
}

const removedAgents = (before: readonly Row[], now: readonly FlatRow[]): FlatRow[] =>
  before
    .filter(({ login }) => !now.some((agent) => agent.login === login))
    .map((agent) => ({ ...agent, status: 'offline', is_removed: true }));

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

/** Groups and agents to ask about, as the warehouse knows them after the lists. */
export async function splitsOf(engine: Engine, account: string): Promise<Splits> {
  const mine = `account = ${engine.dialect.param('account', 'text')}`;
  const groups = await engine.query(`select group_id from account.groups where ${mine} order by group_id`, { account });
  const agents = await engine.query(
    `select login from account.agents where ${mine} and not is_removed order by login`,
    { account },
  );
  return { groups: groups.map((row) => Number(row.group_id)), agents: agents.map((row) => String(row.login)) };
}
