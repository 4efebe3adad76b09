// Chats with each of their agents: circumstances outside the agents' control, and outcomes. Published files keep a row of small whole
// numbers for each (store/agent-outcomes.ts fills them), so that comparing agents over years joins nothing.
import type { Ask } from './ask.ts';
import type { Bind } from './bind.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine, Queryable } from '../engine.ts';
import { memoized } from '../memoize.ts';
import { asWritten } from './parts.ts';
import { cells, quarters, quarterSeconds } from './time-buckets.ts';

export const outcomesTable = 'facts.agent_outcomes';
export const outcomePartsTable = 'facts.agent_outcome_parts';
/** Numbers of agents in `outcomesTable`. */
export const agentNumbersTable = 'facts.agent_numbers';
/** By how much more or fewer chats are open, by the day on which they started. */
export const openChangesTable = 'facts.open_changes';

/** Seconds at which the next class of waits begins. */
const waits = [0, 15, 30, 60, 120, 300] as const;
/** A visitor returns when another chat began this many days before, or fewer. */
export const returning_days = 30;
const quarters_a_day = 86_400 / quarterSeconds;

/** Logarithms are rounded to so many parts of one, so that their sum does not depend on the order of rows. */
export const logarithm_unit = 1e4;
const logarithm = ({ rounded }: Pick<Dialect, 'rounded'>, seconds: string): string =>
  `cast(${rounded(`ln(1 + greatest(${seconds}, 0)) * ${logarithm_unit}`)} as integer)`;

/** A `case` expression that maps a value to its class; values below the first bound give -1. */
const classOf = (value: string, bounds: readonly number[]): string =>
  `case when ${value} is null then -1 ${bounds
    .map((from, place) => `when ${value} < ${from} then ${place - 1}`)
    .join(' ')} else ${bounds.length - 1} end`;

/**
 * Columns over a row of `chat_agents` (`a`), its chat (`c`; in files of today `a` itself), the first and last group of the chat (`teams`),
 * and `returning_chats`. No number is null: -1 is none.
 */
const columnsOf = (dialect: Pick<Dialect, 'rounded'>): Readonly<Record<string, string>> => ({
  first_group: 'coalesce(teams.first_group, -1)',
  last_group: 'coalesce(teams.last_group, -1)',
  wait: classOf('c.queue_seconds', waits),
  is_returning: 'case when returning_chats.chat_id is null then 0 else 1 end',
  rating: "case c.rate when 'rated_good' then 2 when 'rated_bad' then 1 else 0 end",
  first_response: `case when a.first_response_seconds is null then -1 else ${logarithm(dialect, 'a.first_response_seconds')} end`,
  response: `case when a.response_turns > 0 then ${logarithm(dialect, 'a.response_sum_seconds / a.response_turns')} else -1 end`,
});

const meanings: Readonly<Record<string, string>> = {
  first_group: 'lowest group id of the chat; -1 without one',
  last_group: 'highest group id of the chat; -1 without one',
  wait: `how many of the seconds ${waits.slice(1).join(', ')} the wait in the queue reached; -1 without a queue`,
  is_returning: `1 if another chat of the visitor began in the ${returning_days} days before`,
  rating: '2 good, 1 bad, 0 neither',
  first_response: `logarithm of the seconds plus one of the first response that the agent sent, times ${logarithm_unit}; -1 without one`,
  response: `the same of the agent's mean response time in the chat; -1 without a turn`,
};

/** Names of the columns of outcomes with what they mean. */
export const outcomeColumns = Object.entries(meanings);

/** What a file must say its columns are, so that they are read. */
export const outcomeParts: readonly (readonly [name: string, sql: string])[] = [
  ...Object.entries(columnsOf(asWritten)),
  ['returning_days', String(returning_days)],
];

/** A span of quarter hours, from `first` up to, not including, `last`. */
interface Span {
  first: number;
  last: number;
}

const within = (alias: string, { first, last }: Span): string =>
  `${alias}.started_quarter >= ${first} and ${alias}.started_quarter < ${last}`;

/** Selects of the visitors and of the chats that the rows can be about, where these may be few. */
interface Few {
  visitors?: string;
  chats?: string;
}

/** Those of the chats of a question that asks for some of them. */
const ofChosen: Few = { visitors: 'select visitor_id from chosen', chats: 'select chat_id from chosen' };

/** What the rows of outcomes join, as `with` expressions; `of`: a condition on the account of an alias. */
function joined(
  { before: valueBefore }: Dialect,
  span: Span,
  of: (alias: string) => readonly string[],
  { visitors, chats }: Few,
): string[] {
  const before = { first: span.first - returning_days * quarters_a_day, last: span.last };
  const near = [...of('n'), within('n', before), "n.visitor_id <> ''"];
  // The chats of all others need not be sorted.
  if (visitors !== undefined) near.push(`n.visitor_id in (${visitors})`);
  const grouped = [...of('t'), within('t', span), ...(chats === undefined ? [] : [`t.chat_id in (${chats})`])];
  const earlier = valueBefore(
    'n.started_second',
    'partition by n.account, n.visitor_id order by n.started_second, n.chat_id',
  );
  return [
    `returning_chats as (\n  select v.account, v.chat_id\n  from (select n.account, n.chat_id, n.started_second - ${earlier} as since\n` +
      `    from facts.chats as n\n    where ${near.join(' and ')}) as v\n  where v.since < ${returning_days * 86_400}\n)`,
    `teams as (\n  select t.account, t.chat_id, min(t.group_id) as first_group, max(t.group_id) as last_group\n  from facts.chat_groups as t\n` +
      `  where ${grouped.join(' and ')}\n  group by t.account, t.chat_id\n)`,
  ];
}

const joins =
  'left join returning_chats on returning_chats.chat_id = a.chat_id and returning_chats.account = a.account\n' +
  '  left join teams on teams.chat_id = a.chat_id and teams.account = a.account';

/** The rows of a span, with the numbers of `agentNumbersTable`, in the order in which they are kept. */
export function outcomeRows(dialect: Dialect, span: Span): string {
  const columns = Object.entries(columnsOf(dialect)).map(
    ([name, sql]) => `${sql.replaceAll(/\bc\./g, 'a.')} as ${name}`,
  );
  // Spans are days, or a few: not many visitors chat in them.
  const few = { visitors: `select v.visitor_id from facts.chats as v where ${within('v', span)}` };
  return (
    `with ${joined(dialect, span, () => [], few).join(',\n')}\n` +
    `select a.account, a.started_quarter, numbers.number as agent, ${columns.join(', ')}\nfrom facts.chat_agents as a\n` +
    `join ${agentNumbersTable} as numbers on numbers.account = a.account and numbers.agent = a.agent\n  ${joins}\nwhere ${within('a', span)}\n` +
    'order by a.account, a.started_quarter, a.chat_id, a.agent'
  );
}

/** Quarter hours from which on one chat more or fewer is open, of the chats (`c`) that last from one quarter hour to another. */
const changes = ({ quarterOf }: Dialect, where: string, columns: string): string => {
  const ended = quarterOf('c.ended_second');
  const each = (quarter: string, change: number): string =>
    `select ${columns}${quarter} + 1 as quarter, ${change} as change from facts.chats as c where ${where} and ${ended} > c.started_quarter`;
  return `${each('c.started_quarter', 1)}\n  union all ${each(ended, -1)}`;
};

/** The rows of `openChangesTable` for chats that started in a span of whole days. */
export function openChangeRows(dialect: Dialect, span: Span): string {
  const day = `${dialect.wholes('c.started_quarter', quarters_a_day)} as day`;
  return (
    `select account, day, quarter, cast(sum(change) as integer) as change\n` +
    `from (${changes(dialect, within('c', span), `c.account, ${day}, `)}) as changes\n` +
    'group by account, day, quarter\nhaving sum(change) <> 0\norder by account, day, quarter'
  );
}

export const keepsOutcomes = async (engine: Queryable): Promise<boolean> =>
  JSON.stringify(await readParts(engine)) === JSON.stringify(outcomeParts);

async function readParts(engine: Queryable): Promise<(readonly [string, string])[]> {
  if (!(await engine.columns()).has(outcomePartsTable)) return [];
  const rows = await engine.query(`select name, sql from ${outcomePartsTable} order by position`);
  return rows.map(({ name, sql }) => [String(name), String(sql)]);
}

/** Whether a published file keeps the outcomes as this program defines them; a reader of some chats has none. */
export const hasOutcomes = (engine: Engine): Promise<boolean> =>
  engine.isFrozen ? memoized(engine, 'kept outcomes', () => keepsOutcomes(engine)) : Promise.resolve(false);

/** How the rows of a question are read: from which table, and who its agents are. */
interface OutcomeStatements {
  /** Rows: started_quarter, agent (a number), first_group, last_group, situation, first_response, response; in no order. */
  rows: string;
  /** agent (a login), number. */
  agents: string;
  /** For every quarter hour of the range: quarter, day (from 1), hour_of_week (from 0), open_chats. */
  times: string;
}

/** The number of ratings; `situation` is one number, because the fewer columns the faster they are read. */
export const ratings = 3;
const situation = `cast(((wait + 1) * 2 + is_returning) * ${ratings} + rating as integer) as situation`;
const shown = `started_quarter, agent, first_group, last_group, ${situation}, first_response, response`;

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';

/** Reads what the file keeps. */
export function keptOutcomes(ask: Ask, bind: Bind): OutcomeStatements {
  const span = quarters(ask);
  const own = [...bind.ofAccount('a', ask), within('a', span)].join(' and ');
  const changed = [...bind.ofAccount('o', ask), `o.quarter < ${span.last}`].join(' and ');
  return {
    rows: `select ${shown}\nfrom ${outcomesTable} as a\nwhere ${own}`,
    agents: `select n.agent, n.number from ${agentNumbersTable} as n${where(bind.ofAccount('n', ask))}`,
    times: timesOf(ask, bind, `select o.quarter, o.change from ${openChangesTable} as o where ${changed}`),
  };
}

/**
 * Makes the same of the chats. `chosen`: `from … where …` of the chats of a question that asks for some of them, or whose table of agents
 * lacks columns.
 */
export function sweptOutcomes(ask: Ask, bind: Bind, chosen: string | undefined): OutcomeStatements {
  const span = quarters(ask);
  const of = (alias: string): string[] => bind.ofAccount(alias, ask);
  const own = [...of('a'), within('a', span)].join(' and ');
  const columns = Object.entries(columnsOf(bind.dialect)).map(([name, sql]) => {
    const said = chosen === undefined ? sql.replaceAll(/\bc\./g, 'a.') : sql;
    return `${said} as ${name}`;
  });
  const names = `names as (\n  select agent, cast(row_number() over (order by agent) - 1 as integer) as number\n  from (select distinct a.agent from facts.chat_agents as a where ${own}) as those\n)`;
  const only =
    chosen === undefined
      ? { few: {}, ctes: [], join: '' }
      : {
          few: ofChosen,
          ctes: [
            `chosen as (\n  select c.chat_id, c.started_quarter, c.visitor_id, c.queue_seconds, c.rate\n  ${chosen}\n)`,
          ],
          join: 'join chosen as c on c.chat_id = a.chat_id and c.started_quarter = a.started_quarter\n  ',
        };
  const open = [...of('c'), `c.started_quarter < ${span.last} and c.ended_second >= ${span.first * quarterSeconds}`];
  return {
    // TRICKY: a column that both joined tables have keeps the name of its table in ClickHouse unless it is given one.
    rows:
      `with ${[names, ...only.ctes, ...joined(bind.dialect, span, of, only.few)].join(',\n')},\nlines as (\n  select a.started_quarter as started_quarter, names.number as agent, ${columns.join(', ')}\n` +
      `  from facts.chat_agents as a\n  ${only.join}join names on names.agent = a.agent\n  ${joins}\n  where ${own}\n)\nselect ${shown}\nfrom lines`,
    agents: `with ${names}\nselect agent, number from names`,
    times: timesOf(ask, bind, changes(bind.dialect, open.join(' and '), '')),
  };
}

/** `changed`: quarter, change. */
function timesOf(ask: Ask, bind: Bind, changed: string): string {
  const { first, last } = quarters(ask);
  return (
    `with ${cells({ ...ask, grain: 'day' }, bind, ['period', 'weekday', 'hour_of_day'])},\n` +
    `changes as (\n  ${changed}\n  union all select quarter, 0 as change from cells\n),\n` +
    `loads as (\n  select quarter, sum(sum(change)) over (order by quarter) as open_chats\n` +
    `  from (select greatest(quarter, ${first}) as quarter, change from changes) as those\n  where quarter < ${last}\n  group by quarter\n)\n` +
    'select cells.quarter, cast(dense_rank() over (order by cells.period) as integer) as day,\n' +
    '  cast((cells.weekday - 1) * 24 + cells.hour_of_day as integer) as hour_of_week, cast(loads.open_chats as integer) as open_chats\n' +
    'from cells\njoin loads on loads.quarter = cells.quarter'
  );
}
