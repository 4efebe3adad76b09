// Counts chats in cells that share every circumstance outside their agents' control, and the same chats by day: the input for comparing
// agents. A chat with several agents counts in full for each of them.
import type { Ask } from '../query/ask.ts';
import { parameters, type Bind } from '../query/bind.ts';
import { lackingIn } from '../query/bridges.ts';
import type { Numbers } from '../engine.ts';
import type { QueryContext } from '../query/context.ts';
import { cells, quarters } from '../query/time-buckets.ts';
import { selected } from './search.ts';

/** Per row: how many values were measured, their sum and the sum of their squares. */
export interface OutcomeSums {
  count: Numbers;
  sum: Numbers;
  squares: Numbers;
}

/** Rows of chats that were counted together, stored by column. Logarithms are taken of the measured seconds plus one. */
export interface AlikeCounts {
  /** Index into `agents`. */
  agent: Numbers;
  chats: Numbers;
  good: Numbers;
  bad: Numbers;
  /** First responses that the agent sent: their number, and the sums of their logarithms and squared logarithms. */
  first: OutcomeSums;
  /** The agent's mean response time in a chat. */
  response: OutcomeSums;
}

export interface AlikeChats extends AlikeCounts {
  /** The lowest and highest id of the chat's groups that the reader may see; -1 without one. */
  firstGroup: Numbers;
  lastGroup: Numbers;
  /** Hour of the week in which the chat started, in the question's zone: 0 (Monday 00:00) to 167. */
  hourOfWeek: Numbers;
  /** Index of the last entry of `waits` that the wait in the queue reaches, from 0; -1 without a queue. */
  wait: Numbers;
  /** Class of the number of chats open when the quarter hour of the start began, from 0: 0, 1, 2 to 3, 4 to 7 and so on. */
  load: Numbers;
  /** 1 if the visitor had another chat in the 30 days before. */
  isReturning: Numbers;
}

/** Seconds at which the next class of waits begins. */
export const waits = [0, 15, 30, 60, 120, 300] as const;
const returning_days = 30;
const load_classes = 12;
const day_quarters = 96;
/** Chats that were already open when the range began are looked up this far back. */
const longest_open_days = 2;

/**
 * One number packs most of what names a row of the answer, because the engine groups and sorts by few keys much faster than by many: for
 * cells agent, hour of the week, wait, load and returning visitor; for days, below zero, agent and day of the range.
 */
const situations = (waits.length + 1) * load_classes * 2;
const hours = 7 * 24;
/** More than the days of any range. */
const most_days = 100_000;
const situationOf = (wait: string, load: string, isReturning: string): string =>
  `(${wait} + 1) * ${2 * load_classes} + ${load} * 2 + ${isReturning}`;
const waitIn = (packed: number): number => Math.floor((packed % situations) / (2 * load_classes)) - 1;
const loadIn = (packed: number): number => Math.floor(packed / 2) % load_classes;
const hourIn = (packed: number): number => Math.floor(packed / situations) % hours;

const whole = (count: string): string => `cast(${count} as integer)`;

const outcomes = [
  `${whole('count(*)')} as chats`,
  `${whole("count(*) filter (where rate = 'rated_good')")} as good`,
  `${whole("count(*) filter (where rate = 'rated_bad')")} as bad`,
  ...(['first', 'response'] as const).flatMap((name) => [
    `${whole(`count(${name})`)} as ${name}_count`,
    `cast(coalesce(sum(${name}), 0) as double precision) as ${name}_sum`,
    `cast(coalesce(sum(${name} * ${name}), 0) as double precision) as ${name}_squares`,
  ]),
].join(',\n    ');

/** Logarithms are rounded to four decimals and summed as integers, so that the sum does not depend on the order of rows. */
const unit = 1e4;
const logarithm = (seconds: string): string => `cast(round(ln(1 + ${seconds}) * ${unit}) as bigint)`;

/** A `case` expression that maps a value to its class; values below the first bound give -1. */
const classOf = (value: string, bounds: readonly number[]): string =>
  `(case when ${value} is null then -1 ${bounds
    .map((from, place) => `when ${value} < ${from} then ${place - 1}`)
    .join(' ')} else ${bounds.length - 1} end)`;

/** The number of chats open at the beginning of each quarter hour in which a chat started; below zero when chats end before they start. */
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

/** Chats whose visitor had another chat shortly before. */
function returning(ask: Ask, bind: Bind): string {
  const { first, last } = quarters(ask);
  const earlier = 'lag(n.started_second) over (partition by n.visitor_id order by n.started_second, n.chat_id)';
  const near = [
    ...bind.ofAccount('n', ask.account),
    `n.started_quarter >= ${bind.known(first - returning_days * day_quarters, 'int')}`,
    `n.started_quarter < ${bind.known(last, 'int')}`,
    "n.visitor_id <> ''",
  ].join(' and ');
  return (
    `returning_chats as (\n  select v.chat_id from (select n.chat_id, n.started_second - ${earlier} as since\n` +
    `    from facts.chats as n\n    where ${near}) as v\n  where v.since < ${returning_days * 86_400}\n)`
  );
}

/** Columns derived from the quarter hour in which a chat started. */
function times(ask: Ask, bind: Bind): string[] {
  const doublings = Array.from({ length: load_classes }, (_, place) => (place === 0 ? 0 : 2 ** (place - 1)));
  return [
    cells({ ...ask, grain: 'day' }, bind, ['period', 'weekday', 'hour_of_day']),
    loads(ask, bind),
    `times as (\n  select cells.quarter, dense_rank() over (order by cells.period) as day, (cells.weekday - 1) * 24 + cells.hour_of_day as hour_of_week,\n` +
      `    ${classOf('greatest(coalesce(loads.open_chats, 0), 0)', doublings)} as load\n` +
      `  from cells left join loads on loads.quarter = cells.quarter\n)`,
  ];
}

function chosen(ask: Ask, bind: Bind): string {
  const { from, where } = selected({ ask, rates: [] }, bind);
  return `chosen as (\n  select c.chat_id, c.queue_seconds, c.rate\n  ${from}\n  where ${where.join(' and ')}\n)`;
}

/**
 * Rows of chats and agents with circumstances and outcomes, as the table `lines`. `isAlone`: the agents' rows cover the whole question
 * and hold every column, so that the table of chats is not read.
 */
function linesOf(ask: Ask, bind: Bind, isAlone: boolean): string {
  const near = (alias: string): string => nearOf(ask, bind, alias);
  const row = isAlone ? 'a' : 'c';
  return [
    `with names as (\n  select agent, cast(row_number() over (order by agent) - 1 as integer) as place\n` +
      `  from (select distinct a.agent from facts.chat_agents as a where ${near('a')}) as those\n)`,
    ...(isAlone ? [] : [chosen(ask, bind)]),
    ...times(ask, bind),
    returning(ask, bind),
    `teams as (\n  select t.chat_id, min(t.group_id) as first_group, max(t.group_id) as last_group\n  from facts.chat_groups as t\n  where ${near('t')}\n  group by t.chat_id\n)`,
    `lines as (\n  select coalesce(teams.first_group, -1) as first_group, coalesce(teams.last_group, -1) as last_group,\n` +
      `    -1 - (cast(names.place as bigint) * ${most_days} + times.day) as agent_day,\n` +
      `    (cast(names.place as bigint) * ${hours} + times.hour_of_week) * ${situations} +\n` +
      `      ${situationOf(classOf(`${row}.queue_seconds`, waits), 'times.load', 'case when returning_chats.chat_id is null then 0 else 1 end')} as agent_situation,\n` +
      `    ${row}.rate,\n` +
      `    case when a.first_response_seconds is not null then ${logarithm('a.first_response_seconds')} end as first,\n` +
      `    case when a.response_turns > 0 then ${logarithm('a.response_sum_seconds / a.response_turns')} end as response\n` +
      `  from facts.chat_agents as a\n  ${isAlone ? '' : 'join chosen as c on c.chat_id = a.chat_id\n  '}` +
      `join names on names.agent = a.agent\n  join times on times.quarter = a.started_quarter\n` +
      `  left join returning_chats on returning_chats.chat_id = a.chat_id\n  left join teams on teams.chat_id = a.chat_id\n` +
      `  where ${near('a')}\n)`,
  ].join(',\n');
}

const nearOf = (ask: Ask, bind: Bind, alias: string): string => {
  const { first, last } = quarters(ask);
  return [
    ...bind.ofAccount(alias, ask.account),
    `${alias}.started_quarter >= ${bind.known(first, 'int')}`,
    `${alias}.started_quarter < ${bind.known(last, 'int')}`,
  ].join(' and ');
};

/** Cells of similar chats, and the same chats by agent and local day. */
interface CountedAlike {
  /** Sorted logins; an agent listed here may have no chat in the cells. */
  agents: string[];
  cells: AlikeChats;
  days: AlikeCounts;
}

export async function alikeChats(ask: Ask, { snapshot }: QueryContext): Promise<CountedAlike> {
  const { engine } = snapshot;
  const bind = parameters(engine.dialect);
  const isFiltered = Object.values(ask.filters).some((values) => values !== undefined);
  const lacking = await lackingIn(engine);
  const lines = linesOf(ask, bind, !isFiltered && !lacking.has('chat_agents.rate'));
  const found = await engine.queryNumbers(
    `${lines}\nselect cast(coalesce(agent_situation, agent_day) as double precision) as packed,\n` +
      `    coalesce(first_group, -1) as first_group, coalesce(last_group, -1) as last_group,\n    ${outcomes}\nfrom lines\n` +
      `group by grouping sets ((agent_day), (agent_situation, first_group, last_group))\norder by packed, first_group, last_group`,
    bind.params,
  );
  const logins = await engine.query(
    `select distinct a.agent from facts.chat_agents as a where ${nearOf(ask, bind, 'a')} order by a.agent`,
  );
  const packed = columnIn(found, 'packed');
  const firstCell = packed.findIndex((own) => own >= 0);
  const edge = firstCell < 0 ? packed.length : firstCell;
  return {
    agents: logins.map(({ agent }) => String(agent)),
    cells: cellsIn((name) => columnIn(found, name).subarray(edge)),
    days: daysIn((name) => columnIn(found, name).subarray(0, edge)),
  };
}

function columnIn(found: Record<string, Numbers>, name: string): Numbers {
  const column = found[name];
  if (!column) throw new Error(`there is no column ${name}`);
  return column;
}

type Read = (name: string) => Numbers;

const measured = (read: Read, name: 'first' | 'response'): OutcomeSums => ({
  count: read(`${name}_count`),
  sum: read(`${name}_sum`).map((sum) => sum / unit),
  squares: read(`${name}_squares`).map((sum) => sum / unit ** 2),
});

const countsIn = (read: Read): Omit<AlikeCounts, 'agent'> => ({
  ...{ chats: read('chats'), good: read('good'), bad: read('bad') },
  ...{ first: measured(read, 'first'), response: measured(read, 'response') },
});

const wholes = (packed: Numbers, of: (packed: number) => number): Int32Array => {
  const found = new Int32Array(packed.length);
  for (let at = 0; at < found.length; at += 1) found[at] = of(packed[at] ?? 0);
  return found;
};

const daysIn = (read: Read): AlikeCounts => ({
  ...{ agent: wholes(read('packed'), (own) => Math.floor((-1 - own) / most_days)), ...countsIn(read) },
});

function cellsIn(read: Read): AlikeChats {
  const packed = read('packed');
  return {
    ...{ agent: wholes(packed, (own) => Math.floor(own / situations / hours)), ...countsIn(read) },
    ...{ firstGroup: read('first_group'), lastGroup: read('last_group'), hourOfWeek: wholes(packed, hourIn) },
    ...{ wait: wholes(packed, waitIn), load: wholes(packed, loadIn), isReturning: wholes(packed, (own) => own % 2) },
  };
}
