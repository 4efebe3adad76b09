// Generates a warehouse with a given number of chats by SQL: three years, 200 agents, 20 groups, 40 tags, the real tables. Every run
// gives the same rows. Message texts are omitted: no question reads them.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import type { Store } from '#warehouse/engine.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { keepCounts } from '#warehouse/store/counts.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf, type Table } from '#warehouse/tables/tables.ts';
import { elapsed, shown } from './clock.ts';

export const zone = 'Europe/Warsaw';
/** First and last local day with chats, and a day on which all of them are complete. */
export const days = { first: '2023-10-01', last: '2026-09-30' };
export const now = Date.parse('2026-10-20T12:00:00Z') / 1000;

/** Offset of all dates in days; end of the chats and time of the pull, in Unix seconds. */
export interface Calendar {
  later: number;
  until: number;
  pulled: number;
}
/** Changes with the generated content, so that an old file is not mistaken for a current one. */
const edition = 5;

const from = Date.parse('2023-09-28T00:00:00Z') / 1000;
const asListed: Calendar = {
  later: 0,
  until: Date.parse('2026-10-01T22:00:00Z') / 1000,
  pulled: Date.parse('2026-10-20T06:00:00Z') / 1000,
};

export const folderOf = (chats: number): string => join(tmpdir(), 'chatledger-bench', `${chats}-${edition}`);

/** Day shape: seven of ten chats between 7:00 and 18:00 UTC. Keeps the order of time. */
const second =
  '(day * 86400 + cast(86400 * case when part < 0.15 then part / 0.15 * 0.29 ' +
  'when part < 0.85 then 0.29 + (part - 0.15) / 0.7 * 0.46 else 0.75 + (part - 0.85) / 0.15 * 0.25 end as bigint))';

/** Chats in the order in which the tables keep them: time by quarter hour, then id. `h` and `k` are random bits. */
const base = (chats: number, { later, until }: Calendar): string => `create temp table base as
select printf('%010X', (n * 268435459) & 1099511627775) as chat_id, s, cast(s // 900 as integer) as q,
  cast(40 + (h % 1000) * (h % 1000) / 1200 as integer) as d, h, k
from (
  select n, ${second} as s, cast(hash(n) >> 4 as bigint) as h, cast(hash(n + 1000000007) >> 4 as bigint) as k
  from (
    select n, cast(floor(x / 86400) as bigint) as day, x / 86400 - floor(x / 86400) as part
    from (select range as n, ${from + later * 86_400} + range * (${until - from - later * 86_400}.0 / ${chats}) as x from range(${chats})) as line
  ) as parts
) as chats
order by q, chat_id`;

const agent = (bits: string): string => `'agent' || lpad(cast((${bits}) % 200 as varchar), 3, '0') || '@example.com'`;
const when: Record<string, string> = {
  account: "'default'",
  chat_id: 'chat_id',
  started_at: 'make_timestamptz(s * 1000000)',
  started_quarter: 'q',
};

const chatColumns: Record<string, string> = {
  ...when,
  ended_at: 'make_timestamptz((s + d) * 1000000)',
  started_second: 's',
  ended_second: 's + d',
  duration_seconds: 'd',
  visitor_id: "'S' || (k % 3000000) || '.' || printf('%010x', k % 3000000 * 268435459 & 1099511627775)",
  visitor_name: "case when k % 10 < 7 then 'Visitor ' || (k % 5000) end",
  country: "['Poland', 'Germany', 'United States', 'France', 'Spain', 'Italy', 'Japan', 'Brazil'][k % 8 + 1]",
  country_code: "['PL', 'DE', 'US', 'FR', 'ES', 'IT', 'JP', 'BR'][k % 8 + 1]",
  city: "'City ' || (k % 400)",
  region: "'Region ' || (k % 80)",
  visitor_timezone: "'Europe/Warsaw'",
  rate: "case when h % 100 < 30 then 'rated_good' when h % 100 < 37 then 'rated_bad' else 'not_rated' end",
  engagement: "['immediate_start', 'immediate_start', 'auto_invite', 'auto_invite', 'manual_invite'][k % 5 + 1]",
  start_url: "'https://www.example.com/page/' || (k % 700)",
  referrer: "case when k % 3 = 0 then 'https://search.example.org/' end",
  queue_seconds: 'case when k % 100 < 30 then cast((k >> 8) % 90 * ((k >> 16) % 20) / 5 as integer) end',
  is_replied: 'h % 20 <> 0',
  message_count: 'cast(2 + k % 20 as integer)',
  first_response_seconds: 'case when h % 20 <> 0 then cast((h >> 8) % 60 * (1 + (h >> 20) % 8) as integer) end',
  first_response_agent: `case when h % 20 <> 0 then ${agent('(h >> 12)')} end`,
  response_seconds: 'case when h % 20 <> 0 then ((h >> 10) % 700) / cast(2 + k % 5 as double) end',
  response_turns: 'case when h % 20 <> 0 then cast(2 + k % 5 as integer) else 0 end',
  source_timezone: "'Europe/Warsaw'",
  source: "'rest_v2'",
  content_hash: 'substr(md5(chat_id), 1, 27)',
  pull_id: "'p-' || (q // 672)",
  redaction: 'null',
};

/** Columns of chats that a bridge repeats. */
const repeated = Object.fromEntries(
  ['rate', 'queue_seconds', 'is_replied', 'first_response_seconds', 'response_seconds'].map((name) => [
    name,
    chatColumns[name] ?? 'null',
  ]),
);

const agentColumns = (position: number): Record<string, string> => ({
  ...{ ...when, ...repeated },
  agent: position === 0 ? agent('(h >> 12)') : agent('(h >> 12) + 1 + k % 190'),
  agent_name: `'Agent ' || (((h >> 12)${position === 0 ? '' : ' + 1 + k % 190'}) % 200)`,
  position: String(position),
  first_response_seconds: position === 0 ? (chatColumns.first_response_seconds ?? 'null') : 'null',
  response_sum_seconds: 'cast((h >> 10) % 700 as double)',
  response_turns: position === 0 ? 'case when h % 20 <> 0 then cast(2 + k % 5 as integer) else 0 end' : '1',
});

const goalColumns: Record<string, string> = {
  ...when,
  position: '0',
  goal_id: 'case when k % 100 < 3 then 900 else cast(1 + k % 6 as integer) end',
  goal_name: "case when k % 100 < 3 then 'Shop' else 'Goal ' || (1 + k % 6) end",
  is_sale_tracker: 'k % 100 < 3',
  reached_at: 'make_timestamptz((s + 3600 * (h % 48)) * 1000000)',
  reached_quarter: 'cast((s + 3600 * (h % 48)) // 900 as integer)',
  order_id: "case when k % 100 < 3 then 'O-' || (k % 1000000) end",
  order_description: 'null',
  price: 'case when k % 100 < 3 then cast((h % 50000) / 100.0 as decimal(18, 4)) end',
  currency: "case when k % 100 < 3 then ['EUR', 'PLN', 'USD'][h % 3 + 1] end",
};

function insert(table: Table, columns: Record<string, string>, source: string): string {
  const values = Object.keys(table.columns).map((name) => {
    if (columns[name] === undefined) throw new Error(`bench/generate.ts gives no ${table.name}.${name}`);
    return columns[name];
  });
  return `insert into ${table.schema}.${table.name}\nselect ${values.join(', ')}\nfrom ${source}`;
}

/** Two parts of the same chats, merged into the table's order. */
const ordered = (table: Table, parts: readonly [Record<string, string>, string][]): string =>
  `insert into ${table.schema}.${table.name}\nselect *\nfrom (\n` +
  parts
    .map(([columns, where]) => {
      const values = Object.keys(table.columns).map((name) => `${columns[name]} as "${name}"`);
      return `select ${values.join(', ')} from base where ${where}`;
    })
    .join('\nunion all\n') +
  `\n) as parts\norder by ${table.order.map((name) => `"${name}"`).join(', ')}`;

/** A chat's answered turns follow each other by the minute; the first is its first response. */
const firstResponse = '(h >> 8) % 60 * (1 + (h >> 20) % 8)';
const askedSecond = `case when turn = 0 then s else s + ${firstResponse} + 60 * turn end`;
const turnColumns: Record<string, string> = {
  ...when,
  position: 'cast(turn as integer)',
  agent: agent('(h >> 12)'),
  asked_second: askedSecond,
  answered_second: `${askedSecond} + case when turn = 0 then ${firstResponse} else (h >> (8 + turn)) % 90 end`,
};
const turns = 'base\ncross join (select range as turn from range(6)) as turns\nwhere h % 20 <> 0 and turn < 2 + k % 5';

/** Shifts with a break, and one group that works at night. */
export const businessHours: BusinessHours = {
  hours: [
    {
      ...{ valid_from: null, timezone: zone, holidays: ['2025-12-25', '2026-01-01'] },
      week: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, ['09:00-12:00', '13:00-17:00']])),
    },
  ],
  groups: [{ group: 7, hours: [{ valid_from: null, timezone: 'UTC', week: { fri: ['22:00-06:00'] }, holidays: [] }] }],
};

const fact = (name: string): Table => tableOf('facts', name);

const facts = (): string[] => [
  insert(fact('chats'), chatColumns, 'base'),
  `${insert(fact('chat_turns'), turnColumns, turns)}\norder by q, chat_id, turn`,
  ordered(fact('chat_agents'), [
    [agentColumns(0), 'true'],
    [agentColumns(1), 'k % 10 = 0'],
  ]),
  insert(fact('chat_groups'), { ...when, ...repeated, group_id: 'cast((h >> 14) % 20 as integer)' }, 'base'),
  ordered(fact('chat_tags'), [
    [{ ...when, ...repeated, tag: "'tag-' || ((k >> 9) % 20)" }, '(k >> 5) % 10 < 4'],
    [{ ...when, ...repeated, tag: "'tag-' || (20 + (k >> 15) % 20)" }, '(k >> 5) % 10 < 1'],
  ]),
  insert(fact('chat_goals'), goalColumns, 'base where k % 100 < 8'),
];

const byAgent = ['total_chats', 'engagement', 'not_replied_chats', 'chat_ratings', 'chatting_time', 'goals'];
const alsoByAgent = ['goals_sales_tracker', 'first_response_time', 'response_time', 'availability'];
const tickets = ['solved_tickets', 'ticket_resolution_time', 'ticket_ratings', 'ticket_first_response_time'];
const byGroup = ['queued_visitors', 'waiting_times', 'new_tickets', 'ticket_sources', 'greetings'];
const listed = (names: readonly string[]): string => names.map((name) => `('${name}')`).join(', ');

/** Days and their owners, as a pull of this account would have asked: the account also by hour. */
const asked = (
  sources: readonly string[],
  splits: string,
  { later }: Calendar,
): string => `select 'default' as account, '${zone}' as timezone,
  source, grain, split, split_value, cast(day as date) as day
from (values ${listed(sources)}) as sources(source)
cross join (${splits}) as splits
cross join (
  select range as day from range(
    timestamp '${days.first}' + interval (${later - 3}) day,
    timestamp '${days.last}' + interval (${later + 20}) day,
    interval 1 day
  )
) as days`;

const account = "select 'day' as grain, 'account' as split, '' as split_value";
const hours = "select 'hour', 'account', ''";
const groups = "select 'day', 'group', cast(range as varchar) from range(20)";
const agents = `select 'day', 'agent', ${agent('range')} from range(200)`;
const union = (...parts: string[]): string => parts.join(' union all ');

const pulledAt = ({ pulled }: Calendar): string => `make_timestamptz(${pulled * 1_000_000})`;
const periodColumns = (calendar: Calendar): Record<string, string> => ({
  ...Object.fromEntries(
    ['account', 'timezone', 'source', 'grain', 'split', 'split_value', 'day'].map((name) => [name, name]),
  ),
  state: "'pulled'",
  pulled_at: pulledAt(calendar),
  first_pulled_at: pulledAt(calendar),
  changed_at: pulledAt(calendar),
  hash: 'substr(md5(source || split_value || day), 1, 27)',
  rows: '1',
  pull_id: "'p-1'",
});

/** The ledger is read with every question: a large account has a large one, with a row for each day of each agent. */
const ledger = (
  chats: number,
  calendar: Calendar,
): string => `insert into ledger.periods (${Object.keys(periodColumns(calendar)).join(', ')})
select ${Object.values(periodColumns(calendar)).join(', ')}
from (
${[
  asked(['archive'], account, calendar),
  asked([...byGroup], union(account, hours, groups), calendar),
  asked(
    [...byAgent, ...alsoByAgent, ...tickets],
    union(account, hours, groups, ...(chats < 1_000_000 ? [] : [agents])),
    calendar,
  ),
].join('\nunion all\n')}
) as pulled
order by account, timezone, source, grain, split, split_value, day`;

/** Stored answers that questions add up: waits and tickets by day for the account and each group, by hour for the account. */
function reports(name: string, values: string, calendar: Calendar): string {
  const period =
    "strftime(day, '%Y-%m-%d') || case when grain = 'hour' then ' ' || lpad(cast(hour as varchar), 2, '0') || ':00' else '' end";
  return `insert into reports.${name}
select account, timezone, grain, split, split_value, ${period} as period, day, ${values}, ${pulledAt(calendar)}, 'p-1'
from (${asked([name], union(account, hours, groups), calendar)}) as asked
join (select range as hour from range(24)) as hours on grain = 'hour' or hour = 0
order by account, timezone, grain, split, split_value, period`;
}

const stored: readonly (readonly [name: string, values: string])[] = [
  ['queued_visitors', '90, 60, 30'],
  ['waiting_times', '90, 0.0, 300.0, 60.0, 60, 0.0, 300.0, 50.0, 30, 2.0, 200.0, 80.0'],
  ['new_tickets', '12'],
  ['solved_tickets', '11'],
  ['ticket_ratings', '5, 1'],
  ['ticket_resolution_time', '11, 14.5'],
];

/** A new file with that many chats in these days. */
export async function make(file: string, chats: number, calendar = asListed): Promise<void> {
  const engine = await openWarehouse(file, { now, threads: availableParallelism() });
  try {
    await fill(engine, chats, calendar);
    await engine.checkpoint();
  } finally {
    await engine.close();
  }
}

async function fill(engine: Store, chats: number, calendar: Calendar): Promise<void> {
  await engine.exec(base(chats, calendar));
  const reported = stored.map(([name, values]) => reports(name, values, calendar));
  for (const statement of [...facts(), ledger(chats, calendar), ...reported]) await engine.exec(statement);
  await engine.exec('drop table base');
  await setBusinessHours(engine, 'default', businessHours);
  // Published files have these counts, and questions are asked of published files.
  await engine.withRoom(() => keepCounts(engine));
}

/** The file with that many chats, generated if missing. */
export async function generated(chats: number): Promise<string> {
  const folder = folderOf(chats);
  const file = join(folder, 'warehouse.file');
  if (existsSync(file)) return file;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const part = `${file}.part`;
  const time = await elapsed(() => make(part, chats));
  renameSync(part, file);
  console.log(`generated ${chats} chats in ${shown(time / 1000)} s: ${file}`);
  return file;
}
