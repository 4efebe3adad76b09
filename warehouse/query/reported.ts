// Numbers that only the source provides: stored answers by day and hour, added up in the zone and splits they were pulled for.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import { cells, localKeys, quarterSeconds, type LocalKey } from './time-buckets.ts';
import { atTarget } from './scan.ts';
import { groupBy, lines, partSql, type QueryParts } from './parts.ts';
import type { Value } from '../engine.ts';
import { elapsed, type ReportedSource } from '../definitions/metric.ts';
import { tableOf } from '../tables/tables.ts';

/** Which stored rows answer a question. */
export interface Stored {
  grain: 'day' | 'hour';
  split: 'account' | 'group' | 'agent';
  /** Group ids or logins; undefined for all existing ones. */
  values?: readonly string[];
}

/** `own`: splits that are columns of the rows rather than parameters of the report. `each`: the rows of every agent. */
export function storedFor(ask: Ask, { own = {}, each }: Pick<ReportedSource, 'own' | 'each'> = {}): Stored {
  const grain = ask.grain === 'hour' || ask.split.includes('hour_of_day') ? 'hour' : 'day';
  const texts = (values: readonly Value[] | undefined): { values: string[] } | object =>
    values ? { values: values.map(String) } : {};
  if (each) return { grain, split: each, ...texts(ask.filters[each]) };
  for (const split of ['agent', 'group'] as const) {
    if (own[split]) continue;
    if (ask.split.includes(split) || ask.filters[split]) return { grain, split, ...texts(ask.filters[split]) };
  }
  return { grain, split: 'account', values: [''] };
}

/** For metrics of every agent: the current members of the requested groups. `agent`: a column of logins. */
export function membersOnly(agent: string, { account, filters }: Ask, bind: Bind): string[] {
  if (!filters.group) return [];
  const which = [
    `m.account = ${bind.known(account, 'text')}`,
    `m.group_id in (${bind.list('group', filters.group, 'int')})`,
  ];
  return [`${agent} in (select m.login from account.group_agents as m where ${which.join(' and ')})`];
}

/** The condition on stored rows if those of agents are read for a group filter. */
export const membersIn = (
  { each, isOfMembers }: Pick<ReportedSource, 'each' | 'isOfMembers'>,
  split: Stored['split'],
  ask: Ask,
  bind: Bind,
): string[] => (split === 'agent' && (each || isOfMembers) ? membersOnly('r.split_value', ask, bind) : []);

/** Members count with all their chats, of whatever group. */
export function withoutGroup(ask: Ask): Ask {
  const { group: _, ...filters } = ask.filters;
  return { ...ask, filters };
}

/** One row per cell of the question. */
export function reportedParts(reported: ReportedSource, ask: Ask, bind: Bind): QueryParts {
  const { dialect } = bind;
  const { grain, split, values } = storedFor(ask, reported);
  const local = localKeys(ask);
  const column = (key: LocalKey): string => {
    if (key === 'weekday') return `${dialect.localPart('r.day', 'weekday')} as weekday`;
    if (key === 'hour_of_day') return `${dialect.numberIn('substr(r.period, 12, 2)')} as hour_of_day`;
    if (ask.grain === 'hour') return `${dialect.localOf('r.period')} as period`;
    return `${dialect.period(dialect.localOf('r.day'), ask.grain === 'total' ? 'day' : ask.grain)} as period`;
  };
  const isShown = split !== 'account' && ask.split.includes(split);
  const whose = split === 'group' ? dialect.numberIn('r.split_value') : 'r.split_value';
  const whoses: [string, string][] = [
    ...(isShown ? [[split, whose] as [string, string]] : []),
    ...Object.entries(reported.own ?? {}).filter(([name]) => ask.split.some((asked) => asked === name)),
  ];
  const keys = [...local, ...whoses.map(([name]) => `"${name}"`)];
  // TRICKY: grouped by the selected expression, not its name: `period` is also a stored column.
  const grouped = [...local.map((key) => column(key).replace(/ as \w+$/, '')), ...whoses.map(([, sql]) => sql)];
  const whom = split === 'account' ? bind.known('', 'text') : values && bind.list('stored_value', values, 'text');
  const where = [
    `r.account = ${bind.known(ask.account, 'text')}`,
    `r.timezone = ${bind.known(ask.timezone, 'text')}`,
    `r.grain = ${bind.known(grain, 'text')}`,
    `r.split = ${bind.known(split, 'text')}`,
    ...(whom === undefined ? [] : [`r.split_value in (${whom})`]),
    `r.day >= cast(${bind.known(ask.from, 'text')} as date)`,
    `r.day <= cast(${bind.known(ask.to, 'text')} as date)`,
    ...(reported.where ? [reported.where] : []),
    ...membersIn(reported, split, ask, bind),
  ];
  const named = Object.entries(reported.parts);
  const times = named.filter(([, part]) => part === elapsed).map(([name]) => name);
  const parts = named
    .filter(([, part]) => part !== elapsed)
    .map(([name, part]) => `${atTarget(partSql(part, dialect), ask, bind)} as ${name}`);
  const added = (name: string, more: readonly string[]): string =>
    `${name} as (\n  select\n${lines([...local.map(column), ...whoses.map(([name, of]) => `${of} as "${name}"`), ...parts, ...more])}\n` +
    `  from ${rowsOf(reported)} as r\n  where ${where.join('\n    and ')}${groupBy(grouped)}\n)`;
  if (times.length === 0) return { ctes: [added('reported', [])], table: 'reported', keys };
  const known = added('known', [`max(${dialect.second('r.pulled_at')}) as known_until`]);
  return { ctes: [known, ...elapsedIn(ask, bind, local, keys, times)], table: 'reported', keys };
}

/** How much of each cell had passed at the source's last answer, next to the answer itself. */
function elapsedIn(
  ask: Ask,
  bind: Bind,
  local: readonly LocalKey[],
  keys: readonly string[],
  names: readonly string[],
): string[] {
  const of = (table: string): string[] => keys.map((key) => `${table}.${key}`);
  const on = (left: string, right: string, by: readonly string[]): string =>
    by.length > 0 ? by.map((key) => `${left}.${key} = ${right}.${key}`).join(' and ') : 'true';
  const begin = `cast(cells.quarter as bigint) * ${quarterSeconds}`;
  const passed = `sum(least(${quarterSeconds}, known.known_until - ${begin}))`;
  return [
    cells(ask, bind, local),
    `passed as (\n  select\n${lines([...of('known'), `${passed} as seconds`])}\n  from known\n` +
      `  join cells on ${on('cells', 'known', local)}\n  where ${begin} < known.known_until${groupBy(of('known'))}\n)`,
    `reported as (\n  select known.*, ${names.map((name) => `passed.seconds as ${name}`).join(', ')}\n` +
      `  from known\n  left join passed on ${on('passed', 'known', keys)}\n)`,
  ];
}

/** One table, or two of the same shape under each other: what only the other has is 0. */
function rowsOf({ table, beside }: ReportedSource): string {
  if (beside === undefined) return `reports.${table}`;
  const keys = ['account', 'timezone', 'grain', 'split', 'split_value', 'period', 'day'];
  const passing = [...keys, 'pulled_at', 'pull_id'];
  const measuresOf = (name: string): string[] =>
    Object.keys(tableOf('reports', name).columns).filter((column) => !passing.includes(column));
  const all = [...new Set([...measuresOf(table), ...measuresOf(beside)])];
  const select = (name: string): string => {
    const has = measuresOf(name);
    const columns = all.map((column) => (has.includes(column) ? column : `0 as ${column}`));
    return `select ${[...keys, ...columns].join(', ')} from reports.${name}`;
  };
  return `(${select(table)} union all ${select(beside)})`;
}
