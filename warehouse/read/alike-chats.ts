// Chats of agents counted together where they are alike in what their agents do not decide, and the same by day: what a
// comparison of agents is made of. A chat of several agents is counted with each of them, in full.
import type { Ask } from '../query/ask.ts';
import { parameters, type Bind } from '../query/bind.ts';
import type { Row } from '../engine.ts';
import type { QueryContext } from '../query/context.ts';
import { localColumn, quarters } from '../query/time-buckets.ts';
import { selected } from './search.ts';

/** The outcomes of chats. Logarithms are of one second more than was measured. */
export interface AlikeCounts {
  agent: string;
  chats: number;
  good: number;
  bad: number;
  /** First responses that the agent sent: how many, their logarithms and the squares of these. */
  first: OutcomeSums;
  /** Mean response of the agent in a chat. */
  response: OutcomeSums;
}

export interface OutcomeSums {
  count: number;
  sum: number;
  squares: number;
}

export interface AlikeChats extends AlikeCounts {
  /** The chat's groups, as far as the reader sees them. */
  group: string;
  /** 1 (Monday) to 7, and the hour, of the start in the question's zone. */
  weekday: number;
  hour: number;
  /** Place in `waits` that the wait in the queue reaches, from 0; -1 without a queue. */
  wait: number;
  /** Of the chats that were open when the quarter hour of the start began: 0, 1, 2 to 3, 4 to 7 and so on, numbered from 0. */
  load: number;
  /** The visitor had a chat in the 30 days before. */
  is_returning: boolean;
}

/** Seconds from which a wait is of the next class. */
export const waits = [0, 15, 30, 60, 120, 300] as const;
const returning_days = 30;
const load_classes = 12;
const day_quarters = 96;
/** Chats that were open when the range began, started no earlier. */
const longest_open_days = 2;

const circumstances = ['group_first', 'group_last', 'weekday', 'hour', 'wait', 'load', 'is_returning'];

const outcomes = [
  'count(*) as chats',
  "count(*) filter (where rate = 'rated_good') as good",
  "count(*) filter (where rate = 'rated_bad') as bad",
  ...(['first', 'response'] as const).flatMap((name) => [
    `count(${name}) as ${name}_count`,
    `cast(sum(${name}) as double precision) as ${name}_sum`,
    `cast(sum(${name} * ${name}) as double precision) as ${name}_squares`,
  ]),
].join(',\n    ');

/** Logarithms to four digits after the point: whole numbers give the same sum in whatever order the rows lie. */
const unit = 1e4;
const logarithm = (seconds: string): string => `cast(round(ln(1 + ${seconds}) * ${unit}) as bigint)`;

/** `case` over a value by the bounds from which the next class begins; below the first -1. */
const classOf = (value: string, bounds: readonly number[]): string =>
  `case when ${value} is null then -1 ${bounds
    .map((from, place) => `when ${value} < ${from} then ${place - 1}`)
    .join(' ')} else ${bounds.length - 1} end`;

/** How many chats were open when each quarter hour began in which one started. */
function loads(ask: Ask, bind: Bind): string {
  const { first, last } = quarters(ask);
  const near = [
    ...bind.ofAccount('n', ask.account),
    `n.started_quarter >= ${bind.known(first - longest_open_days * day_quarters, 'int')}`,
    `n.started_quarter < ${bind.known(last, 'int')}`,
  ].join(' and ');
  const changes = (quarter: string, change: number): string =>
    `select ${quarter} as quarter, ${change} as change from facts.chats as n where ${near}`;
  return (
    `loads as (\n  select quarter, sum(sum(change)) over (order by quarter rows between unbounded preceding and 1 preceding) as open_chats\n` +
    `  from (${changes('n.started_quarter', 1)} union all ${changes(bind.dialect.quarterOf('n.ended_second'), -1)}) as edges\n  group by quarter\n)`
  );
}

/** Whether the visitor of each chat had one shortly before. */
function visits(ask: Ask, bind: Bind): string {
  const { first, last } = quarters(ask);
  const earlier = 'lag(n.started_second) over (partition by n.visitor_id order by n.started_second, n.chat_id)';
  const near = [
    ...bind.ofAccount('n', ask.account),
    `n.started_quarter >= ${bind.known(first - returning_days * day_quarters, 'int')}`,
    `n.started_quarter < ${bind.known(last, 'int')}`,
  ].join(' and ');
  return (
    `visits as (\n  select n.chat_id, coalesce(n.visitor_id <> '' and n.started_second - ${earlier} < ${returning_days * 86_400}, false) as is_returning\n` +
    `  from facts.chats as n\n  where ${near}\n)`
  );
}

/** Rows of chats and agents with circumstances and outcomes, as the table `lines`. */
function linesOf(ask: Ask, bind: Bind): string {
  const { first, last } = quarters(ask);
  const { from, where } = selected({ ask, rates: [] }, bind);
  const near = (alias: string): string =>
    [
      ...bind.ofAccount(alias, ask.account),
      `${alias}.started_quarter >= ${bind.known(first, 'int')}`,
      `${alias}.started_quarter < ${bind.known(last, 'int')}`,
    ].join(' and ');
  const local = (key: 'weekday' | 'hour_of_day'): string => localColumn(ask, bind, key, 'c.started_quarter');
  const doublings = Array.from({ length: load_classes }, (_, place) => (place === 0 ? 0 : 2 ** (place - 1)));
  const day = localColumn({ ...ask, grain: 'day' }, bind, 'period', 'c.started_quarter');
  return [
    `with chosen as (\n  select c.chat_id, c.started_quarter, c.queue_seconds, c.rate, c.first_response_agent, c.first_response_seconds\n  ${from}\n  where ${where.join(' and ')}\n)`,
    loads(ask, bind),
    visits(ask, bind),
    `teams as (\n  select t.chat_id, min(t.group_id) as group_first, max(t.group_id) as group_last\n  from facts.chat_groups as t\n  where ${near('t')}\n  group by t.chat_id\n)`,
    `lines as (\n  select a.agent, ${day} as day, teams.group_first, teams.group_last, ${local('weekday')} as weekday,\n` +
      `    ${local('hour_of_day')} as hour, ${classOf('c.queue_seconds', waits)} as wait,\n` +
      `    ${classOf('coalesce(loads.open_chats, 0)', doublings)} as load, visits.is_returning, c.rate,\n` +
      `    case when c.first_response_agent = a.agent then ${logarithm('c.first_response_seconds')} end as first,\n` +
      `    case when a.response_turns > 0 then ${logarithm('a.response_sum_seconds / a.response_turns')} end as response\n` +
      `  from chosen as c\n  join facts.chat_agents as a on a.chat_id = c.chat_id and ${near('a')}\n` +
      `  join visits on visits.chat_id = c.chat_id\n  left join loads on loads.quarter = c.started_quarter\n` +
      `  left join teams on teams.chat_id = c.chat_id\n)`,
  ].join(',\n');
}

/** Cells of chats that are alike, and the same chats by agent and local day. */
interface CountedAlike {
  cells: AlikeChats[];
  days: AlikeCounts[];
}

export async function alikeChats(ask: Ask, { snapshot }: QueryContext): Promise<CountedAlike> {
  const bind = parameters(snapshot.engine.dialect);
  const keys = circumstances.join(', ');
  const rows = await snapshot.engine.query(
    `${linesOf(ask, bind)}\nselect agent, ${keys}, grouping(day) as is_cell,\n    ${outcomes}\nfrom lines\n` +
      `group by grouping sets ((agent, ${keys}), (agent, day))\norder by grouping(day), agent, ${keys}, day`,
    bind.params,
  );
  const counted: CountedAlike = { cells: [], days: [] };
  for (const row of rows)
    if (row.is_cell === 1) counted.cells.push(cellOf(row));
    else counted.days.push(countedOf(row));
  return counted;
}

const measured = (row: Row, name: 'first' | 'response'): OutcomeSums => ({
  count: Number(row[`${name}_count`]),
  sum: Number(row[`${name}_sum`] ?? 0) / unit,
  squares: Number(row[`${name}_squares`] ?? 0) / unit ** 2,
});

const countedOf = (row: Row): AlikeCounts => ({
  ...{ agent: String(row.agent), chats: Number(row.chats), good: Number(row.good), bad: Number(row.bad) },
  ...{ first: measured(row, 'first'), response: measured(row, 'response') },
});

const cellOf = (row: Row): AlikeChats => ({
  ...countedOf(row),
  group: row.group_first === row.group_last ? String(row.group_first) : `${row.group_first}-${row.group_last}`,
  ...{ weekday: Number(row.weekday), hour: Number(row.hour), wait: Number(row.wait), load: Number(row.load) },
  is_returning: row.is_returning === true,
});
