// Chats laid over each other in time: how many are open at once, and for how long at least one is.
// The line carries the level in from before the range and is cut where a cell of the question begins.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import { asked, cells, localColumn, localKeys, numbered, quarterSeconds, type LocalKey } from './time-buckets.ts';
import { scanOf } from './scan.ts';
import { groupBy, lines, partSql, type QueryParts } from './parts.ts';
import type { Dialect } from '../dialect.ts';
import type { Archived } from '../definitions/metric.ts';

/** Seconds at which a cell begins: a change of any local key, and the start of the range. `among`: the cells considered. */
function borders({ before }: Dialect, keys: readonly string[], first: string, among = 'cells'): string {
  if (keys.length === 0) return `borders as (\n  select ${first} as second\n)`;
  const earlier = keys.map((key) => `${before(key, 'order by quarter')} as ${key}_before`);
  const changes = keys.map((key) => `${key} <> ${key}_before or ${key}_before is null`);
  return (
    `borders as (\n  select greatest(cast(quarter as bigint) * ${quarterSeconds}, ${first}) as second\n` +
    `  from (select quarter, ${[...keys, ...earlier].join(', ')} from ${among}) as neighbours\n` +
    `  where ${changes.join(' or ')}\n)`
  );
}

/**
 * Over a long range by weekday or hour, each split value has as many borders as the range has hours. Most lie before the first chat and
 * after the last one: for those quarter hours each cell gets a single empty interval.
 */
function emptyTime(
  { quarterOf }: Dialect,
  local: readonly string[],
  splits: readonly string[],
  first: string,
  last: string,
): string[] {
  const [start, end] = [
    `cast(quarter as bigint) * ${quarterSeconds}`,
    `(cast(quarter as bigint) + 1) * ${quarterSeconds}`,
  ];
  return [
    `extent as (\n  select ${quarterOf('min(opened)')} as since, ${quarterOf('(max(closed) - 1)')} as until from open\n)`,
    'busy as (\n  select cells.* from cells join extent on quarter >= since and quarter <= until\n)',
    'quiet as (\n  select\n' +
      lines([
        `greatest(min(${start}), ${first}) as second`,
        `sum(least(${end}, ${last}) - greatest(${start}, ${first})) as length`,
      ]) +
      `\n  from cells join extent on quarter < since or quarter > until\n  group by ${local.join(', ')}\n)`,
    `empty_time as (\n  select ${splits.join(', ')}, second, 0 as level, length\n` +
      `  from quiet cross join (select distinct ${splits.join(', ')} from open) as whose\n)`,
  ];
}

/** Where accounts of a pool have an end of their own, nobody chats in them after it. */
function ownEnd({ ends = new Map() }: Ask, { dialect }: Bind, last: string): string[] {
  const whens = [...ends].map(
    ([id, end]) => `when ${dialect.literal(id, 'text')} then ${dialect.literal(end, 'bigint')}`,
  );
  return whens.length > 0 ? [`case c.account ${whens.join(' ')} else ${last} end`] : [];
}

/** One row per cell; parts are aggregates over stretches of `length` seconds with `level` chats open. */
export function sweepParts(archived: Archived, ask: Ask, bind: Bind): QueryParts {
  const { from, until } = asked(ask);
  const first = bind.known(from, 'bigint');
  const last = bind.known(until, 'bigint');
  const end = archived.sweep?.end ?? 'c.ended_second';
  const when = [`c.ended_second >= ${first}`, `c.started_second < ${last}`];
  const earliest = `select min(c.started_quarter) from facts.chats as c where ${[...bind.ofAccount('c', ask), ...when].join(' and ')}`;
  const near = (alias: string): string[] => [
    `${alias}.started_quarter >= (${earliest})`,
    `${alias}.started_quarter <= ${bind.dialect.quarterOf(last)}`,
  ];
  const rows = scanOf(archived, ask, bind, when, near);
  const local = localKeys(ask);
  const splits = rows.columns.map(({ name }) => `"${name}"`);
  const columns = rows.columns.map(({ name, sql }) => `${sql} as "${name}"`);
  const keys = [...local, ...splits];
  // A chat of no length is there as well, so that its agent is named.
  const isThere = `greatest(${end}, c.started_second + 1) > ${first}`;
  const open =
    `open as (\n  select\n${lines([
      ...columns,
      `greatest(c.started_second, ${first}) as opened`,
      `least(${[end, last, ...ownEnd(ask, bind, last)].join(', ')}) as closed`,
    ])}\n  ${rows.from}\n` + `  where ${[...rows.where.map(rows.fill), isThere].join('\n    and ')}\n)`;
  const edges =
    `edges as (\n  select ${[...splits, 'opened as second', '1 as delta'].join(', ')} from open\n` +
    `  union all\n  select ${[...splits, 'closed as second', '-1 as delta'].join(', ')} from open\n` +
    `  union all\n  select ${[...splits, 'second', '0 as delta'].join(', ')} from borders` +
    `${splits.length > 0 ? ` cross join (select distinct ${splits.join(', ')} from open) as whose` : ''}\n)`;
  const by = splits.length > 0 ? `partition by ${splits.join(', ')} ` : '';
  const isOneStretch = ask.grain === 'total' && local.length > 0 && splits.length > 0;
  // The line ends with the last quarter hour of the extent, not with the range.
  const end_of_line = isOneStretch ? `least(${last}, (select (until + 1) * ${quarterSeconds} from extent))` : last;
  // TRICKY: of several edges in one second only the last has a length, and its level is the sum of all of them: so an end and a start in
  // the same second never overlap, whatever their order.
  const stretchesOf = `stretches as (\n  select\n${lines([
    ...splits,
    'second',
    `sum(delta) over (${by}order by second rows between unbounded preceding and current row) as level`,
    `coalesce(${bind.dialect.after('second', `${by}order by second`)}, ${end_of_line}) - second as length`,
  ])}\n  from edges${isOneStretch ? `\n  union all\n  select ${splits.join(', ')}, second, level, length from empty_time` : ''}\n)`;
  return {
    ctes: [
      ...(local.length > 0 ? [cells(ask, bind, local)] : []),
      ...(isOneStretch
        ? [open, ...emptyTime(bind.dialect, local, splits, first, last), borders(bind.dialect, local, first, 'busy')]
        : [borders(bind.dialect, local, first), open]),
      edges,
      stretchesOf,
      ...measuredBy(archived, ask, bind, local, splits),
    ],
    table: 'archived',
    keys,
  };
}

/** The parts of each cell. A join with the calendar takes as long as everything else: it is for months, which have no even length. */
function measuredBy(
  { parts: measures }: Archived,
  ask: Ask,
  bind: Bind,
  local: readonly LocalKey[],
  splits: readonly string[],
): string[] {
  const parts = Object.entries(measures).map(([name, part]) => `${partSql(part, bind.dialect)} as ${name}`);
  const measured = (name: string, columns: readonly string[], keys: readonly string[], rest = ''): string =>
    `${name} as (\n  select\n${lines([...columns, ...parts])}\n  ` +
    `from (select *, ${bind.dialect.quarterOf('second')} as quarter from stretches where length > 0) as stretches${rest}${groupBy(keys)}\n)`;
  const keys = [...local, ...splits];
  if (local.length === 0) return [measured('archived', keys, keys)];
  const even = numbered(ask, bind, local, 'quarter');
  if (even)
    return [
      measured('by_cell', [`${even.cell} as cell`, ...splits], ['cell', ...splits]),
      `archived as (\n  select\n${lines([`${even.period('cell')} as period`, ...splits, ...Object.keys(measures)])}\n  from by_cell\n)`,
    ];
  if (!local.includes('period'))
    return [
      measured(
        'archived',
        [...local.map((key) => `${localColumn(ask, bind, key, 'quarter')} as ${key}`), ...splits],
        keys,
      ),
    ];
  return [measured('archived', keys, keys, '\n  join cells on cells.quarter = stretches.quarter')];
}
