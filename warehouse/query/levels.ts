// Concurrent chats, precomputed by quarter hour for the account, each agent and each group: a question about years reads one row per
// quarter hour instead of overlaying every chat. Maximums and sums are exact over whole quarter hours. store/levels/ fills the tables;
// the columns are the measure parts of the metrics themselves.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import { bridges } from './bridges.ts';
import type { Archived, MeasurePart } from '../definitions/metric.ts';
import { metrics } from '../definitions/metrics.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine, Queryable } from '../engine.ts';
import { columnsIn } from './file-columns.ts';
import { memoized } from '../memoize.ts';
import { asWritten, groupBy, lines, partSql, type QueryParts } from './parts.ts';
import { asked, cells, localColumn, localKeys, quarters, quarterSeconds } from './time-buckets.ts';
import { accountsIn, beforeEnds } from './asked-accounts.ts';

/** AskedAccounts level a table keeps: everybody's, or that of each value of a bridge. */
export const levelTables = {
  account: { table: 'facts.account_levels', whose: undefined },
  agent: { table: 'facts.agent_levels', whose: bridges.agent },
  group: { table: 'facts.group_levels', whose: bridges.group },
} as const;
export type KindOfLevels = keyof typeof levelTables;
export const kindsOfLevels = ['account', 'agent', 'group'] as const satisfies readonly KindOfLevels[];

export const levelPartsTable = 'facts.level_parts';
export const levelDaysTable = 'facts.level_days';

/** A column: an aggregate over stretches of `length` seconds with `level` chats open that close at `end`. */
export interface LevelColumn {
  name: string;
  end: string;
  sql: string;
  merge: 'sum' | 'max';
}

/** Time itself: the length of the cell, whoever chats in it. */
const isTime = (sql: string): boolean => sql === 'sum(length)';

/** Whether something is divided by the time of a cell. */
export const isOverTime = ({ sweep, parts }: Archived): boolean =>
  sweep !== undefined && Object.values(parts).some((part) => isTime(partSql(part, asWritten)));

/** Whether the level counts exactly the chats in which the agent took part. */
const isPlain = ({ agent, sale, where, nextWithin }: Archived): boolean =>
  agent === 'took_part' && !sale && !where && nextWithin === undefined;

/** All stored columns; every level has an `end` after which no chat is open any more. */
export function levelColumns(dialect: Dialect): LevelColumn[] {
  const found: LevelColumn[] = [];
  for (const { id, archived } of metrics) {
    if (!archived?.sweep || !isPlain(archived)) continue;
    const { end } = archived.sweep;
    for (const [name, part] of Object.entries(archived.parts)) {
      const [sql, { merge }] = [partSql(part, dialect), part];
      if (isTime(sql) || (merge !== 'sum' && merge !== 'max')) continue;
      if (found.some((other) => other.end === end && other.sql === sql)) continue;
      const isTaken = found.some((other) => other.name === name);
      found.push({ name: isTaken ? `${id}_${name}` : name, end, sql, merge });
    }
  }
  return found;
}

/** The last quarter hour in which a chat (`c`) is open; for a chat of zero length that of its start. */
export function lastQuarter(columns: readonly LevelColumn[], { quarterOf }: Dialect): string {
  const ends = [...new Set(columns.map(({ end }) => end))];
  return quarterOf(`(greatest(c.started_second + 1, ${ends.join(', ')}) - 1)`);
}

/** The levels stored in a file. */
export interface Levels {
  columns: readonly LevelColumn[];
  /** Accounts with stored levels. */
  accounts: ReadonlySet<string>;
  /** A reader with a row rule has fewer. */
  kinds: ReadonlySet<KindOfLevels>;
}

export const noLevels: Levels = { columns: [], accounts: new Set(), kinds: new Set() };

/** The columns that an open file keeps; none in one that keeps no levels. */
export async function levelColumnsOf(engine: Queryable): Promise<LevelColumn[]> {
  if (!(await engine.columns()).has(levelPartsTable)) return [];
  const rows = await engine.query(`select name, "end", sql, merge from ${levelPartsTable} order by position`);
  return rows.map(({ name, end, sql, merge }) => ({
    ...{ name: String(name), end: String(end), sql: String(sql) },
    merge: merge === 'max' ? 'max' : 'sum',
  }));
}

/** The levels stored in a file; empty for one that is still being written. */
export async function levelsIn(engine: Engine): Promise<Levels> {
  if (!engine.isFrozen) return noLevels;
  return memoized(engine, 'kept levels', async () => {
    const columns = await levelColumnsOf(engine);
    if (columns.length === 0) return noLevels;
    const rows = await engine.query(`select distinct account from ${levelDaysTable}`);
    const tables = await columnsIn(engine);
    return {
      ...{ columns, accounts: new Set(rows.map(({ account }) => String(account))) },
      kinds: new Set(kindsOfLevels.filter((kind) => tables.has(levelTables[kind].table))),
    };
  });
}

/** The subject of the question's levels; undefined for a set of chats without stored levels. */
function whoseLevels({ split, filters, pool }: Ask): KindOfLevels | undefined {
  // Nor do those of several accounts.
  if (pool && !split.includes('account')) return undefined;
  const splits = split.filter((name) => name !== 'account' && name !== 'weekday' && name !== 'hour_of_day');
  const [name, ...others] = new Set([...splits, ...Object.keys(filters)]);
  if (name === undefined) return 'account';
  if (others.length > 0 || (name !== 'agent' && name !== 'group')) return undefined;
  // Chats of one agent or another are a set of their own: levels do not add up.
  return splits.length > 0 || new Set(filters[name]).size === 1 ? name : undefined;
}

/** The column that keeps a part. */
function columnOf(
  end: string,
  part: MeasurePart,
  dialect: Dialect,
  { columns }: Levels,
): LevelColumn | 'time' | undefined {
  const sql = partSql(part, dialect);
  return isTime(sql) ? 'time' : columns.find((column) => column.end === end && column.sql === sql);
}

/** The stored parts of a metric over levels; undefined if the chats must be read. */
export function fromLevels(archived: Archived, ask: Ask, bind: Bind, levels: Levels): QueryParts | undefined {
  const whose = whoseLevels(ask);
  const isKept =
    whose !== undefined && levels.kinds.has(whose) && accountsIn(ask).every((id) => levels.accounts.has(id));
  if (!isKept || !archived.sweep || !isPlain(archived)) return undefined;
  const { from, until } = asked(ask);
  // Of a quarter hour that was not over when chats were received, all that is known is kept.
  if (from % quarterSeconds !== 0 || (until % quarterSeconds !== 0 && until !== ask.reached)) return undefined;
  const { end } = archived.sweep;
  const kept: [string, MeasurePart][] = [];
  const times: string[] = [];
  for (const [name, part] of Object.entries(archived.parts)) {
    const column = columnOf(end, part, bind.dialect, levels);
    if (!column) return undefined;
    if (column === 'time') times.push(name);
    else kept.push([name, { sql: `${column.merge}(k.${column.name})`, merge: column.merge }]);
  }
  return read(ask, bind, whose, kept, times);
}

/** One row per cell and value with chats: answer.ts knows the others (`quietIn`). */
function read(
  ask: Ask,
  bind: Bind,
  whose: KindOfLevels,
  kept: readonly [string, MeasurePart][],
  times: readonly string[],
): QueryParts {
  const { first, last } = quarters(ask);
  const { table, whose: bridge } = levelTables[whose];
  const local = localKeys(ask);
  const isSplit = bridge !== undefined && ask.split.some((name) => name === whose);
  const values = bridge && ask.filters[whose as 'agent' | 'group'];
  const isByAccount = ask.split.includes('account');
  const keys = [...local, ...(isByAccount ? ['"account"'] : []), ...(isSplit ? [`"${whose}"`] : [])];
  const where = [
    ...bind.ofAccount('k', ask),
    `k.quarter >= ${bind.known(first, 'int')}`,
    `k.quarter < ${bind.known(last, 'int')}`,
    ...beforeEnds(ask.ends, 'k', 'k.quarter', bind.dialect),
    ...(bridge && values ? [`k.${bridge.column} in (${bind.list(whose, values, bridge.type)})`] : []),
  ];
  const columns = [
    ...local.map((key) => `${localColumn(ask, bind, key, 'k.quarter')} as ${key}`),
    ...(isByAccount ? ['k.account as "account"'] : []),
    ...(bridge && isSplit ? [`k.${bridge.column} as "${whose}"`] : []),
    ...kept.map(([name, part]) => `${partSql(part, bind.dialect)} as ${name}`),
  ];
  const levels = (name: string): string =>
    `${name} as (\n  select\n${lines(columns)}\n  from ${table} as k\n  where ${where.join('\n    and ')}${groupBy(keys)}\n)`;
  if (times.length === 0) return { ctes: [levels('archived')], table: 'archived', keys };
  const timed = (seconds: string, from: string): string =>
    `archived as (\n  select levels.*, ${times.map((name) => `${seconds} as ${name}`).join(', ')}\n  from ${from}\n)`;
  const { until } = asked(ask);
  const whole = bind.known(until - first * quarterSeconds, 'bigint');
  const begins = `cast(quarter as bigint) * ${quarterSeconds}`;
  const length = `least(${quarterSeconds}, ${bind.known(until, 'bigint')} - ${begins})`;
  const ctes =
    local.length === 0
      ? [levels('levels'), timed(whole, 'levels')]
      : [
          levels('levels'),
          cells(ask, bind, local),
          `times as (\n  select ${local.join(', ')}, sum(${length}) as seconds from cells group by ${local.join(', ')}\n)`,
          timed('times.seconds', `levels join times using (${local.join(', ')})`),
        ];
  return { ctes, table: 'archived', keys };
}
