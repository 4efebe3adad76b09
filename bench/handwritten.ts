// The same questions as hand-written SQL for this engine and file: the reference for the compiler. Written for one account, with
// precomputed seconds and quarter hours; correct for Europe/Warsaw, 2023 to 2026.
import { spans, type Span } from './questions.ts';

/** First second of the range and the first after it, in Warsaw. */
const bounds: Record<Span, [from: string, until: string]> = {
  '30d': ['2026-08-31T22:00:00Z', '2026-09-30T22:00:00Z'],
  '1y': ['2025-09-30T22:00:00Z', '2026-09-30T22:00:00Z'],
  '3y': ['2023-09-30T22:00:00Z', '2026-09-30T22:00:00Z'],
};
const second = (instant: string): number => Date.parse(instant) / 1000;
const quarter = (instant: string): number => second(instant) / 900;

/** Quarter hours at which Warsaw changed its clocks, with the shift before each. */
const changes: readonly [until: number, shift: number][] = [
  [quarter('2023-10-29T01:00:00Z'), 8],
  [quarter('2024-03-31T01:00:00Z'), 4],
  [quarter('2024-10-27T01:00:00Z'), 8],
  [quarter('2025-03-30T01:00:00Z'), 4],
  [quarter('2025-10-26T01:00:00Z'), 8],
  [quarter('2026-03-29T01:00:00Z'), 4],
];

const utcDays: Record<Span, [number, number]> = {
  '30d': [quarter('2026-09-01T00:00:00Z'), quarter('2026-10-01T00:00:00Z')],
  '1y': [quarter('2025-10-01T00:00:00Z'), quarter('2026-10-01T00:00:00Z')],
  '3y': [quarter('2023-10-01T00:00:00Z'), quarter('2026-10-01T00:00:00Z')],
};

interface Range {
  first: number;
  last: number;
  utc: [number, number];
  /** First and last local day. */
  days: [string, string];
  /** Local quarter hour of a quarter hour, for this range. */
  local: (column: string) => string;
}

function rangeOf(span: Span): Range {
  const [from, until] = bounds[span];
  const first = quarter(from);
  const cases = changes.filter(([at]) => at > first).map(([at, shift]) => `when $q < ${at} then $q + ${shift}`);
  const local = cases.length > 0 ? `case ${cases.join(' ')} else $q + 8 end` : '$q + 8';
  return {
    first,
    last: quarter(until),
    utc: utcDays[span],
    days: [spans[span].from, spans[span].to],
    local: (column) => `(${local.replaceAll('$q', column)})`,
  };
}

const started = ({ first, last }: Range, alias = ''): string =>
  `${alias}started_quarter >= ${first} and ${alias}started_quarter < ${last}`;

/** All chats, counted by quarter hour already. */
const counted = (r: Range, key: string, sums: string): string =>
  `select ${key.replaceAll('$local', r.local('started_quarter'))} as cell, ${sums}\nfrom facts.chat_quarters where ${started(r)} group by 1 order by 1`;

/** Grouped by quarter hour first, then by the period derived from it. */
const folded = (r: Range, key: string, inner: string, outer: string, from: string, order = key): string =>
  `select ${key.replaceAll('$local', r.local('q'))} as cell, ${outer}\nfrom (select started_quarter as q, ${inner} from ${from} group by 1)\n` +
  `group by 1 order by ${order === key ? '1' : order}`;

const day = '$local // 96';
const dayLabel = (sql: string): string =>
  `select strftime(date '1970-01-01' + cell::int, '%Y-%m-%d') as period, * exclude (cell) from (${sql})`;

const quantiles = (column: string): string =>
  `count(${column}) as n, avg(${column}) as mean, quantile_cont(${column}, [0.5, 0.9, 0.95]) as q`;

/** Open chats over time, stored by quarter hour. */
const levels = (r: Range, measures: string, from: string, cell: string): string =>
  `select ${cell.replaceAll('$local', r.local('quarter'))} as cell, ${measures} from facts.${from} and quarter >= ${r.first} and quarter < ${r.last} group by 1 order by 1`;

const busy = 'sum(busy_seconds) / 3600 as hours, sum(chat_seconds) / 3600 as chat_hours';
// Every quarter hour of this account has chats, of one group not: the mean is over the time of the day.
const highest = 'max(highest) as most, sum(concurrent_chats_chat_seconds) as chat_seconds';
const hourOfWeek = '($local // 4 + 72) % 168';

const sale = 'is_sale_tracker and price > 0 and currency is not null';
const mine = "agent = 'agent017@example.com'";

/** By the names in questions.ts. */
export const handwritten: Record<string, (r: Range) => string> = {
  'chats by day, UTC': ({ utc: [first, last] }) =>
    dayLabel(
      `select started_quarter // 96 as cell, sum(all_chats) as chats from facts.chat_quarters where started_quarter >= ${first} and started_quarter < ${last} group by 1 order by 1`,
    ),
  'chats by day': (r) => dayLabel(counted(r, day, 'sum(all_chats) as chats')),
  'chats by hour': (r) =>
    `select strftime(timestamp '1970-01-01' + to_hours(cell::int), '%Y-%m-%d %H:00') as period, chats from (${counted(r, '$local // 4', 'sum(all_chats) as chats')})`,
  'chats by day, one agent': (r) =>
    dayLabel(folded(r, day, 'count(*) as n', 'sum(n) as chats', `facts.chat_agents where ${started(r)} and ${mine}`)),
  'chats by day, one group': (r) =>
    dayLabel(
      folded(r, day, 'count(*) as n', 'sum(n) as chats', `facts.chat_groups where ${started(r)} and group_id = 7`),
    ),
  'chats by day, one tag': (r) =>
    dayLabel(
      folded(r, day, 'count(*) as n', 'sum(n) as chats', `facts.chat_tags where ${started(r)} and tag = 'tag-7'`),
    ),
  'chats by agent': (r) =>
    `select agent, count(*) as chats from facts.chat_agents where ${started(r)} group by 1 order by 1`,
  'chats weekday x hour': (r) => counted(r, hourOfWeek, 'sum(all_chats) as chats'),
  'ratings by day': (r) =>
    dayLabel(
      counted(
        r,
        day,
        'sum(rated_good) as good, sum(rated_bad) as bad, sum(all_chats) as chats, sum(rated_good) / nullif(sum(rated_good) + sum(rated_bad), 0) as csat',
      ),
    ),
  'ratings by month, one tag': (r) =>
    folded(
      r,
      "date_trunc('month', date '1970-01-01' + ($local // 96)::int)",
      "count(*) as n, count(*) filter (where rate = 'rated_good') as g, count(*) filter (where rate = 'rated_bad') as b",
      'sum(g) as good, sum(b) as bad, sum(n) as chats, sum(g) / nullif(sum(g) + sum(b), 0) as csat',
      `facts.chat_tags where ${started(r)} and tag = 'tag-7'`,
    ),
  ranking: (r) =>
    `select agent, count(*) filter (where rate = 'rated_good') as good, count(*) filter (where rate = 'rated_bad') as bad
     from facts.chat_agents where ${started(r)} and rate in ('rated_good', 'rated_bad') group by 1 order by 2 desc`,
  'first response p50 p90': (r) => `select ${quantiles('first_response_seconds')} from facts.chats where ${started(r)}`,
  'first response by day': (r) =>
    dayLabel(
      `select ${r.local('started_quarter')} // 96 as cell, ${quantiles('first_response_seconds')} from facts.chats where ${started(r)} group by 1 order by 1`,
    ),
  'first response by day, one group': (r) =>
    dayLabel(
      `select ${r.local('started_quarter')} // 96 as cell, ${quantiles('first_response_seconds')} from facts.chat_groups where ${started(r)} and group_id = 7 group by 1 order by 1`,
    ),
  // Every chat of this account has one group, and only group 7 has hours of its own.
  'first response, business hours': (r) =>
    `with opened as (
       select hours, from_second, until_second, sum(until_second - from_second) over (partition by hours order by from_second) - (until_second - from_second) as before
       from account.open_hours, (values (1), (2)) as own(hours) where open_in & hours <> 0
     ), waits as (
       select asked_second, answered_second, case when group_id = 7 then 2 else 1 end as hours
       from facts.chat_turns as t join facts.chat_groups as g using (chat_id)
       where ${started(r, 't.')} and ${started(r, 'g.')} and position = 0
     ), cut as (
       select coalesce(e.before + least(e.until_second, answered_second) - e.from_second, 0) -
         coalesce(b.before + least(b.until_second, asked_second) - b.from_second, 0) as seconds,
         asked_second = answered_second and coalesce(asked_second < b.until_second, false) as is_instant
       from waits
       asof left join opened as b on b.hours = waits.hours and b.from_second <= asked_second
       asof left join opened as e on e.hours = waits.hours and e.from_second <= answered_second
     )
     select ${quantiles('seconds')} from cut where seconds > 0 or is_instant`,
  // Only the source's report knows the visitors who left the queue, so it is read as well.
  'queue waits p50 p90': (r) =>
    `select * from (
       select ${quantiles('queue_seconds')}, min(queue_seconds) as shortest, max(queue_seconds) as longest
       from facts.chats where ${started(r)} and queue_seconds is not null
     ), (
       select sum(left_queue_count) as gone, sum(left_queue_count * left_queue_average) / sum(left_queue_count) as gone_mean,
         min(left_queue_min) as gone_shortest, max(left_queue_max) as gone_longest
       from reports.waiting_times
       where grain = 'day' and split = 'account' and timezone = 'Europe/Warsaw' and day between '${r.days[0]}' and '${r.days[1]}'
     )`,
  'goals by currency': (r) =>
    `select currency, count(*) as sales, sum(price)::decimal(18, 4) as value from facts.chat_goals
     where reached_quarter >= ${r.first} and reached_quarter < ${r.last} and ${sale} group by 1 order by 1`,
  'goals by day, one agent': (r) =>
    dayLabel(
      `select ${r.local('reached_quarter')} // 96 as cell, count(*) filter (where not is_sale_tracker) as goals, count(*) filter (where ${sale}) as sales
       from facts.chat_goals where reached_quarter >= ${r.first} and reached_quarter < ${r.last}
       and chat_id in (select chat_id from facts.chat_agents where started_quarter >= ${r.first} - 960 and started_quarter < ${r.last} and ${mine})
       group by 1 order by 1`,
    ),
  'chatting time by day': (r) => dayLabel(levels(r, busy, 'account_levels where true', day)),
  'chatting time, one agent': (r) => dayLabel(levels(r, busy, `agent_levels where ${mine}`, day)),
  'most at once by day': (r) => dayLabel(levels(r, highest, 'account_levels where true', day)),
  'most at once, one group': (r) => dayLabel(levels(r, highest, 'group_levels where group_id = 7', day)),
  'most at once weekday x hour': (r) => levels(r, highest, 'account_levels where true', hourOfWeek),
};

/** The statement for a question of questions.ts. */
export function handwrittenFor(name: string, span: Span): string {
  const write = handwritten[name];
  if (!write) throw new Error(`bench/handwritten.ts does not answer "${name}"`);
  return write(rangeOf(span));
}
