// The steps from one version of the tables to the next, oldest first. A released step is never changed.
import type { ColumnType } from '../tables/tables.ts';
import type { Dialect } from '../dialect.ts';

export interface Migration {
  /** The version that the statements lead to. */
  version: number;
  statements: (dialect: Dialect) => readonly string[];
}

type ColumnList = readonly (readonly [name: string, type: ColumnType, or?: 'null'])[];

/** Columns that a later version added; old rows have nothing to say there. */
const add = ({ type }: Dialect, table: string, columns: Readonly<Record<string, ColumnType>>): string[] =>
  Object.entries(columns).map(([name, of]) => `alter table ${table} add column "${name}" ${type(of, true)}`);

const create = ({ type }: Dialect, table: string, columns: ColumnList): string =>
  `create table ${table} (${columns.map(([name, of, or]) => `"${name}" ${type(of, or === 'null')}`).join(', ')})`;

const keyOfChat: ColumnList = [
  ['account', 'text'],
  ['chat_id', 'text'],
  ['started_at', 'instant'],
  ['started_quarter', 'int'],
];

const repeated: ColumnList = [
  ['rate', 'text'],
  ['queue_seconds', 'int', 'null'],
  ['is_replied', 'bool'],
];

const withFirstResponse: ColumnList = [...repeated, ['first_response_seconds', 'int', 'null']];
const responseTime: ColumnList = [['response_seconds', 'double', 'null']];

/** A step, and the first and the last that are not open: thirty days from 2012 to 2032, in quarter hours. */
const piece = { quarters: 30 * 96, first: 15_340 * 96, count: 244 };

/** Conditions that together cover every chat, each for about a month, so that its messages can be sorted, or its chats joined, in memory. */
const pieces = Array.from({ length: piece.count + 2 }, (_, at) => {
  const from = piece.first + (at - 1) * piece.quarters;
  return [
    ...(at > 0 ? [`started_quarter >= ${from}`] : []),
    ...(at <= piece.count ? [`started_quarter < ${from + piece.quarters}`] : []),
  ].join(' and ');
});

/**
 * A bridge that repeats columns of its chats from a version on. TRICKY: it is rewritten, because an update that joins ten million rows
 * takes too long, and more space than the file. A month at a time, because a join that does not fit into memory leaves rows in no order,
 * and by time they are read in part.
 */
function repeatChats(dialect: Dialect, bridge: string, own: ColumnList, added: ColumnList): string[] {
  const { literal } = dialect;
  const before = `${bridge}_before`;
  const without: Readonly<Record<string, string | boolean>> = { rate: 'not_rated', is_replied: false };
  const values = added.map(([name, type]) => {
    const value = without[name];
    return value === undefined ? `c."${name}"` : `coalesce(c."${name}", ${literal(value, type)})`;
  });
  const key = keyOfChat.map(([name]) => name).filter((name) => name !== 'started_at');
  const columns = [...[...keyOfChat, ...own].map(([name]) => `b."${name}"`), ...values].join(', ');
  const ofChats = [...key, ...added.map(([name]) => name)].map((name) => `"${name}"`).join(', ');
  const monthOf = (which: string): string =>
    `insert into facts.${bridge}\nselect ${columns}\nfrom (select * from facts.${before} where ${which}) as b\n` +
    `left join (select ${ofChats} from facts.chats where ${which}) as c using (${key.join(', ')})\n` +
    'order by b.account, b.started_quarter, b.chat_id';
  return [
    `alter table facts.${bridge} rename to ${before}`,
    create(dialect, `facts.${bridge}`, [...keyOfChat, ...own, ...added]),
    ...pieces.map(monthOf),
    `drop table facts.${before}`,
  ];
}

/** Answered turns, from the lines of chats: a run of lines ends with an agent's, and is a turn when the visitor wrote in it. */
const turnsOfMessages = (which: string): string => `insert into facts.chat_turns
select account, chat_id, started_at, started_quarter,
  row_number() over (partition by account, started_quarter, chat_id order by run) - 1 as position,
  agent, asked_second, answered_second
from (
  select account, chat_id, started_at, started_quarter, run,
    max(agent) filter (where user_type = 'agent') as agent,
    min(at_second) filter (where user_type = 'visitor') as asked_second,
    max(at_second) filter (where user_type = 'agent') as answered_second
  from (
    select account, chat_id, started_at, started_quarter, user_type, agent, at_second,
      count(*) filter (where user_type = 'agent') over (
        partition by account, started_quarter, chat_id order by position
        rows between unbounded preceding and current row
      ) - case when user_type = 'agent' then 1 else 0 end as run
    from facts.messages
    where ${which} and kind <> 'event' and user_type <> 'supervisor'
  ) as lines
  group by account, chat_id, started_at, started_quarter, run
) as runs
where asked_second is not null and answered_second is not null
order by account, started_quarter, chat_id, run`;

/** Steps after the first version; a fresh file is created at the newest version from tables.ts and takes none of them. */
export const migrations: readonly Migration[] = [
  {
    version: 2,
    statements: (dialect) => [
      ...add(dialect, 'ledger.pulls', { faults: 'int', quarantined: 'int' }),
      ...add(dialect, 'ledger.periods', {
        asked_at: 'instant',
        failures: 'int',
        rows_new: 'int',
        rows_changed: 'int',
        rows_unchanged: 'int',
        attempts: 'int',
        bytes: 'bigint',
        milliseconds: 'int',
      }),
      create(dialect, 'ledger.source_differences', [
        ['account', 'text'],
        ['day', 'date'],
        ['chat_id', 'text'],
        ['field', 'text'],
        ['rest_v2', 'text', 'null'],
        ['agent_v3', 'text', 'null'],
        ['seen_at', 'instant'],
      ]),
      create(dialect, 'ledger.notices', [
        ['account', 'text'],
        ['source', 'text'],
        ['header', 'text'],
        ['value', 'text'],
        ['first_seen_at', 'instant'],
        ['last_seen_at', 'instant'],
      ]),
      "update facts.chats set source = 'rest_v2' where source = 'rest-v2'",
    ],
  },
  {
    version: 3,
    statements: (dialect) => [
      ...repeatChats(
        dialect,
        'chat_agents',
        [
          ['agent', 'text'],
          ['agent_name', 'text', 'null'],
          ['position', 'int'],
          ['first_response_seconds', 'int', 'null'],
          ['response_sum_seconds', 'double'],
          ['response_turns', 'int'],
        ],
        repeated,
      ),
      ...repeatChats(dialect, 'chat_groups', [['group_id', 'int']], withFirstResponse),
      ...repeatChats(dialect, 'chat_tags', [['tag', 'text']], withFirstResponse),
    ],
  },
  { version: 4, statements: (dialect) => add(dialect, 'facts.chats', { redaction: 'text' }) },
  {
    version: 5,
    statements: (dialect) => [
      create(dialect, 'facts.chat_turns', [
        ...keyOfChat,
        ['position', 'int'],
        ['agent', 'text', 'null'],
        ['asked_second', 'bigint'],
        ['answered_second', 'bigint'],
      ]),
      ...pieces.map(turnsOfMessages),
      create(dialect, 'account.business_hours', [
        ['account', 'text'],
        ['group_id', 'int', 'null'],
        ['valid_from', 'date', 'null'],
        ['timezone', 'text'],
        ...['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name): [string, ColumnType] => [name, 'text']),
        ['holidays', 'text'],
        ['bit', 'bigint'],
      ]),
      create(dialect, 'account.open_hours', [
        ['account', 'text'],
        ['from_second', 'bigint'],
        ['until_second', 'bigint'],
        ['open_in', 'bigint'],
      ]),
    ],
  },
  {
    version: 6,
    // Chats that were pulled before have theirs in the raw archive: a rebuild reads them.
    statements: (dialect) => [
      create(dialect, 'facts.chat_variables', [...keyOfChat, ['name', 'text'], ['value', 'text']]),
      create(dialect, 'facts.chat_dimensions', [...keyOfChat, ['variable_id', 'text'], ['value', 'text']]),
      create(dialect, 'account.variables', [
        ['account', 'text'],
        ['variable_id', 'text'],
        ['title', 'text'],
        ['source', 'text'],
        ['name', 'text'],
        ['position', 'int'],
      ]),
    ],
  },
  {
    version: 7,
    statements: (dialect) => [
      ...repeatChats(dialect, 'chat_groups', [['group_id', 'int'], ...withFirstResponse], responseTime),
      ...repeatChats(dialect, 'chat_tags', [['tag', 'text'], ...withFirstResponse], responseTime),
    ],
  },
  { version: 8, statements: (dialect) => add(dialect, 'ledger.pulls', { settling_days: 'int' }) },
];

export const newestVersion = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 1;
