// Every table of the warehouse: columns in neutral types, key and comment. Migrations, loading, the console and the docs read this.
// No engine word stands here; how a type is spelled is the dialect's business.

/** Neutral column types: `instant` is a UTC moment, `date` a local calendar day, `label` a period label as INTERFACE.md writes it. */
export type ColumnType = 'text' | 'int' | 'bigint' | 'double' | 'decimal' | 'bool' | 'date' | 'instant';

export interface Column {
  type: ColumnType;
  comment: string;
  /** True when the source may not say it. */
  nullable?: boolean;
}

export interface Table {
  schema: 'facts' | 'reports' | 'account' | 'ledger' | 'raw';
  name: string;
  comment: string;
  columns: Readonly<Record<string, Column>>;
  /** The columns that make a row the same row when it is loaded again. */
  key: readonly string[];
  /** Columns in which rows are kept sorted when a file is written anew. */
  order: readonly string[];
}

const text = (comment: string): Column => ({ type: 'text', comment });
const int = (comment: string): Column => ({ type: 'int', comment });
const double = (comment: string): Column => ({ type: 'double', comment });
const decimal = (comment: string): Column => ({ type: 'decimal', comment });
const bool = (comment: string): Column => ({ type: 'bool', comment });
const instant = (comment: string): Column => ({ type: 'instant', comment });
const maybe = (column: Column): Column => ({ ...column, nullable: true });

const account = text('account id, the only one by default is "default"');
const chatId = text('chat id as the archive gives it (a thread id of the v3 APIs)');
const startedAt = instant('when the chat started (UTC)');
const startedQuarter = int('quarter hours since 1970-01-01 UTC in which the chat started: floor(epoch seconds / 900)');

const fact = (name: string, comment: string, columns: Record<string, Column>, key: string[]): Table => ({
  schema: 'facts',
  name,
  comment,
  columns: { account, chat_id: chatId, started_at: startedAt, started_quarter: startedQuarter, ...columns },
  key: ['account', 'chat_id', ...key],
  order: ['account', 'started_quarter', 'chat_id', ...key],
});

const facts: readonly Table[] = [
  fact(
    'chats',
    'One row per ended chat of the archive. Durations in seconds.',
    {
      ended_at: instant('when the chat ended (UTC)'),
      started_second: { type: 'bigint', comment: 'started_at as Unix seconds' },
      ended_second: { type: 'bigint', comment: 'ended_at as Unix seconds' },
      duration_seconds: int('ended minus started'),
      visitor_id: text('visitor id; the same person keeps it'),
      visitor_name: maybe(text('name the visitor gave')),
      country: maybe(text('country name in English')),
      country_code: maybe(text('ISO 3166-1 alpha-2 code')),
      city: maybe(text('city')),
      region: maybe(text('region')),
      visitor_timezone: maybe(text("visitor's own zone")),
      rate: text('not_rated, rated, rated_good or rated_bad; the last value wins'),
      engagement: text('auto_invite, manual_invite or immediate_start (also when missing or unknown at the source)'),
      start_url: maybe(text('page on which the chat started')),
      referrer: maybe(text('referring address')),
      queue_seconds: maybe(int('wait in the queue before started_at; null when the chat did not come from the queue')),
      is_replied: bool('an agent wrote something other than the welcome message'),
      message_count: int('messages and attachments of visitor and agents'),
      first_response_seconds: maybe(
        int('first agent message after the first visitor message, minus that visitor message'),
      ),
      first_response_agent: maybe(text('login of the agent who sent that first response')),
      response_seconds: maybe(double('mean over the turns of the chat; null without a turn')),
      response_turns: int('number of answered turns'),
      source_timezone: maybe(text('zone in which the source wrote its human-readable dates')),
      source: text('which source fed the row: rest-v2'),
      content_hash: maybe(text('hash of the record as received, to see a change')),
      pull_id: text('the pull that brought this version of the chat'),
    },
    [],
  ),
  fact(
    'messages',
    'One row per line of a chat: messages, attachments and events, in their order.',
    {
      position: int('0-based place within the chat'),
      at: instant('when it was written (UTC)'),
      at_second: { type: 'bigint', comment: 'at as Unix seconds' },
      kind: text('message, attachment or event'),
      user_type: text('agent, visitor or supervisor'),
      agent: maybe(text('login of the agent it belongs to')),
      author_name: maybe(text('display name of the author')),
      event_type: maybe(text('for events: what happened, e.g. closed')),
      is_welcome: bool('the first agent message, before every visitor message'),
      text: text('the words, as received'),
      files: maybe(text('attachment addresses, one a line')),
    },
    ['position'],
  ),
  fact(
    'chat_agents',
    'One row per chat and agent who took part, also silent ones; supervisors never.',
    {
      agent: text('login'),
      agent_name: maybe(text('display name in that chat')),
      position: int('0-based place in the list of agents'),
      first_response_seconds: maybe(int('set when this agent sent the first response of the chat')),
      response_sum_seconds: double('seconds over the turns that this agent closed'),
      response_turns: int('turns that this agent closed'),
    },
    ['agent'],
  ),
  fact(
    'chat_groups',
    'One row per chat and group it belongs to.',
    { group_id: int('group id; 0 is a group like any other') },
    ['group_id'],
  ),
  fact('chat_tags', 'One row per chat and tag. Tags are case sensitive.', { tag: text('tag') }, ['tag']),
  fact(
    'chat_goals',
    'One row per goal or tracked sale of a chat.',
    {
      position: int('0-based place in the list of goals'),
      goal_id: int('goal id, or id of the sales tracker'),
      goal_name: maybe(text('name of the goal')),
      is_sale_tracker: bool('the record is of type sales_tracker'),
      reached_at: instant("the record's own time, without one the start of the chat (UTC)"),
      reached_quarter: int('quarter hours since 1970 UTC of reached_at'),
      order_id: maybe(text('order id')),
      order_description: maybe(text('order description')),
      price: maybe(decimal('order price; null when the source says none')),
      currency: maybe(text('currency of the price; null when none')),
    },
    ['position'],
  ),
  fact(
    'chat_surveys',
    'One row per answer of a pre- or post-chat survey.',
    {
      survey: text('pre or post'),
      position: int('0-based place in the survey'),
      question: text('question as shown'),
      answer: text('answer as given'),
      question_id: maybe(text('id of the question')),
    },
    ['survey', 'position'],
  ),
];

const pulledAt = instant('when the answer was received (UTC)');

/** A stored answer of the vendor: one row per period and split for which it was pulled. */
const report = (name: string, comment: string, columns: Record<string, Column>, key: string[] = []): Table => ({
  schema: 'reports',
  name,
  comment: `${comment} As the source reported it.`,
  columns: {
    account,
    timezone: text('IANA zone in which the report was pulled'),
    grain: text('day or hour'),
    split: text('account, group or agent: what the report was asked for'),
    split_value: text('group id or agent login; empty for the whole account'),
    period: text('local period: YYYY-MM-DD or YYYY-MM-DD HH:00'),
    day: { type: 'date', comment: 'local day of the period' },
    ...columns,
    pulled_at: pulledAt,
    pull_id: text('the pull that brought it'),
  },
  key: ['account', 'timezone', 'grain', 'split', 'split_value', 'period', ...key],
  order: ['account', 'timezone', 'grain', 'split', 'split_value', 'period', ...key],
});

const ranking = (name: string, comment: string): Table =>
  report(
    name,
    comment,
    {
      agent: text('login'),
      good: int('good ratings'),
      bad: int('bad ratings'),
      total: int('good + bad'),
      score: double("the vendor's score"),
    },
    ['agent'],
  );

const waits = (name: string): Record<string, Column> => ({
  [`${name}_count`]: int(`${name}: visitors`),
  [`${name}_min`]: maybe(double(`${name}: shortest wait in seconds; null without visitors`)),
  [`${name}_max`]: maybe(double(`${name}: longest wait in seconds; null without visitors`)),
  [`${name}_average`]: maybe(double(`${name}: mean wait in seconds; null without visitors`)),
});

const responses = {
  count: int('chats counted'),
  seconds: maybe(double('mean seconds; null when nothing was counted')),
};
const ticketTimes = {
  count: int('tickets counted'),
  hours: maybe(double('mean hours; null when nothing was counted')),
};

const reports: readonly Table[] = [
  report('total_chats', 'Number of chats.', { chats: int('chats') }),
  report('engagement', 'Chats by how they began.', {
    chats_from_auto_invite: int('chats from a greeting'),
    chats_from_manual_invite: int('chats that an agent began'),
    chats_from_immediate_start: int('chats that the visitor began'),
  }),
  report('not_replied_chats', 'Chats without an answer of an agent.', { not_replied: int('chats') }),
  report('chat_ratings', 'Rated chats.', {
    good: int('rated good'),
    bad: int('rated bad'),
    chats: int('all chats of the period'),
  }),
  ranking('chat_ranking', 'Ranking of agents by chat ratings, one day at a time.'),
  report('queued_visitors', 'Visitors whose wait in the queue ended.', {
    queued: int('both'),
    entered_chat: int('entered a chat'),
    left_queue: int('left without a chat'),
  }),
  report('waiting_times', 'Waits of queued visitors.', {
    ...waits('queued'),
    ...waits('entered_chat'),
    ...waits('left_queue'),
  }),
  report('availability', 'Time in which somebody was accepting chats.', { hours: double('hours, at most 1 an hour') }),
  report('chatting_time', 'Time in which at least one chat was open.', { hours: double('hours, at most 1 an hour') }),
  report('first_response_time', 'Mean time to the first response.', responses),
  report('response_time', 'Mean time of responses.', responses),
  report('agents_occupancy', 'Most chats open at once within the hour (whole account).', {
    most: int('chats at once'),
  }),
  report(
    'goals',
    'Goals reached and sales tracked.',
    {
      sales_tracker: int('0: plain goals, 1: tracked sales'),
      currency: text('currency of sales_count and value; empty on the row that carries goals'),
      goals: maybe(int('goals; on the row with the empty currency only')),
      sales_count: maybe(int('records with a price in this currency')),
      value: maybe(decimal('sum of prices in this currency')),
    },
    ['sales_tracker', 'currency'],
  ),
  report('greetings', 'Greetings.', {
    displayed: int('greetings shown'),
    accepted: int('chats from a greeting'),
    goals: int('goals of those chats'),
  }),
  report('new_tickets', 'Tickets created.', { new_tickets: int('tickets') }),
  report('ticket_first_response_time', 'Mean time to the first response to a ticket.', ticketTimes),
  report('solved_tickets', 'Tickets solved.', { solved_tickets: int('tickets') }),
  report('ticket_resolution_time', 'Mean time from creation to solution.', ticketTimes),
  report('ticket_sources', 'Tickets created, by source.', {
    tickets_from_chat_window: int('from the chat window'),
    tickets_from_mail: int('from mail'),
    tickets_from_chat: int('from a chat'),
  }),
  report('ticket_ratings', 'Rated tickets.', { good: int('rated good'), bad: int('rated bad') }),
  ranking('ticket_ranking', 'Ranking of agents by ticket ratings, one day at a time.'),
];

/** An account list, replaced whole when its content changes. */
const list = (name: string, comment: string, columns: Record<string, Column>, key: string[]): Table => ({
  schema: 'account',
  name,
  comment,
  columns: { account, ...columns, pulled_at: pulledAt },
  key: ['account', ...key],
  order: ['account', ...key],
});

const accountLists: readonly Table[] = [
  list(
    'agents',
    'Agents of the account as last pulled; an agent missing from the newest list is kept with is_removed.',
    {
      login: text('login, an e-mail address'),
      name: text('name'),
      permission: text('owner, administrator or normal'),
      status: text('accepting chats, not accepting chats or offline'),
      is_removed: bool('no longer in the list of the source'),
    },
    ['login'],
  ),
  list(
    'groups',
    'Groups of the account.',
    {
      group_id: int('group id'),
      name: text('name'),
      language: text('language code'),
      status: text('accepting chats, not accepting chats or offline'),
    },
    ['group_id'],
  ),
  list('group_agents', 'Who is in which group.', { group_id: int('group id'), login: text('login') }, [
    'group_id',
    'login',
  ]),
  list(
    'tags',
    'Tags of the account.',
    {
      name: text('tag'),
      group_id: int('group the tag belongs to'),
      author: text('login of who added it'),
      created_at: instant('when it was added (UTC)'),
      in_chats: int('uses in chats'),
      in_tickets: int('uses in tickets'),
    },
    ['name', 'group_id'],
  ),
  list(
    'goals',
    'Goals of the account.',
    {
      goal_id: int('goal id'),
      name: text('name'),
      is_active: bool('active'),
      type: text('custom_variable, url, api or sales_tracker'),
    },
    ['goal_id'],
  ),
  list(
    'greetings',
    'Greetings of the account.',
    {
      greeting_id: int('greeting id'),
      name: text('name'),
      is_active: bool('active'),
      message: text('text shown to the visitor'),
    },
    ['greeting_id'],
  ),
  list(
    'canned_responses',
    'Canned responses of the account.',
    {
      response_id: int('id'),
      group_id: int('group'),
      text: text('text'),
      tags: text('tags, one a line'),
      created_by: text('login'),
      created_at: instant('when it was written (UTC)'),
      modified_at: maybe(instant('when it was last changed (UTC)')),
    },
    ['response_id'],
  ),
  list(
    'status',
    'Whether the chat was online at the time of the pull.',
    { group_id: int('group; 0 is everybody'), status: text('online or offline') },
    ['group_id'],
  ),
];

const ledgerTable = (name: string, comment: string, columns: Record<string, Column>, key: string[]): Table => ({
  schema: 'ledger',
  name,
  comment,
  columns: { account, ...columns },
  key: ['account', ...key],
  order: ['account', ...key],
});

const ledger: readonly Table[] = [
  ledgerTable(
    'pulls',
    'One row per run of the pull.',
    {
      pull_id: text('id of the pull'),
      started_at: instant('start (UTC)'),
      ended_at: maybe(instant('end (UTC); null while it runs or when it was cut off')),
      state: text('running, done, failed or cut_off'),
      requests: int('requests sent'),
      chats_new: int('chats seen for the first time'),
      chats_changed: int('chats whose content changed'),
      chats_unchanged: int('chats that were the same'),
      error: maybe(text('what went wrong, in one sentence')),
    },
    ['pull_id'],
  ),
  ledgerTable(
    'requests',
    'One row per request of a pull.',
    {
      pull_id: text('id of the pull'),
      sequence: int('1-based number within the pull'),
      source: text('report or list that was asked, or archive'),
      path: text('path and query as sent'),
      status: int('HTTP status; 0 when no answer came'),
      attempts: int('tries until this outcome'),
      bytes: int('bytes of the body'),
      milliseconds: int('time to the last byte'),
      asked_at: instant('when it was sent (UTC)'),
      error: maybe(text('what went wrong')),
    },
    ['pull_id', 'sequence'],
  ),
  ledgerTable(
    'periods',
    'What has been pulled: one row per source, split and local day.',
    {
      timezone: text('IANA zone of the day'),
      source: text('report name, or archive'),
      grain: text('day or hour; day for the archive'),
      split: text('account, group or agent'),
      split_value: text('group id or agent login; empty for the whole account'),
      day: { type: 'date', comment: 'local day' },
      state: text('pulled, failed, not_in_plan, gone or quarantined'),
      pulled_at: instant('when it was last received (UTC)'),
      first_pulled_at: instant('when it was first received (UTC)'),
      changed_at: instant('when its content last changed (UTC)'),
      hash: text('hash of the content, to see a change'),
      rows: int('rows it gave'),
      total: maybe(int('for the archive: the total that the source named')),
      pull_id: text('the pull that last brought it'),
      error: maybe(text('what went wrong')),
    },
    ['timezone', 'source', 'grain', 'split', 'split_value', 'day'],
  ),
  ledgerTable(
    'quarantine',
    'Records that could not be decoded; their raw bytes are kept in the archive.',
    {
      source: text('report name, list or archive'),
      record_id: text('chat id or period'),
      reason: text('what is wrong with it'),
      body: text('the record as received'),
      seen_at: instant('when it was received (UTC)'),
      pull_id: text('the pull that met it'),
    },
    ['source', 'record_id'],
  ),
  ledgerTable(
    'reconciliation',
    'Recomputed against reported: one row per cell, with the first reason that fits.',
    {
      metric: text('metric'),
      timezone: text('IANA zone of the cell'),
      grain: text('day or hour'),
      split: text('account, group or agent'),
      split_value: text('group id or agent login; empty for the whole account'),
      period: text('local period: YYYY-MM-DD or YYYY-MM-DD HH:00'),
      day: { type: 'date', comment: 'local day of the period' },
      measure: text(
        'the number that decides: the first that differs, else the first; a currency or agent after a colon',
      ),
      reported: maybe(double('as the source says it')),
      recomputed: maybe(double('from the archived chats, rounded as the report rounds')),
      difference: maybe(double('reported minus recomputed; null when one of them is null')),
      reason: text('not_pulled, settling, capped, changed_after, agent_removed, equal, rounding, edge or unexplained'),
      checked_at: instant('when the two were compared (UTC)'),
    },
    ['metric', 'timezone', 'grain', 'split', 'split_value', 'period'],
  ),
];

/** What the file says about itself; these belong to no account. */
const about: readonly Table[] = [
  {
    schema: 'ledger',
    name: 'versions',
    comment: 'Versions of the warehouse that this file went through; the highest is the current one.',
    columns: { version: int('version of tables and columns'), migrated_at: instant('when it was reached (UTC)') },
    key: ['version'],
    order: ['version'],
  },
  {
    schema: 'ledger',
    name: 'snapshot',
    comment: 'In a published file: which snapshot it is. Empty in the private file of the writer.',
    columns: {
      snapshot_id: text('id of the snapshot, sortable by time'),
      published_at: instant('when it was published (UTC)'),
    },
    key: ['snapshot_id'],
    order: ['snapshot_id'],
  },
];

export const tables: readonly Table[] = [...facts, ...reports, ...accountLists, ...ledger, ...about];

/** The raw archive is a file of its own: what the source said, as received. Everything else can be made from it again. */
export const rawResponses: Table = {
  schema: 'raw',
  name: 'responses',
  comment: 'Bodies as received: for each question the newest answer of each UTC day on which it was asked.',
  columns: {
    account,
    path: text('path and query as sent'),
    received_on: { type: 'date', comment: 'UTC day of the answer' },
    received_at: instant('when the answer was received (UTC)'),
    source: text('report, list or archive'),
    status: int('HTTP status'),
    body: text('body as received'),
    pull_id: text('the pull that asked'),
  },
  key: ['account', 'path', 'received_on'],
  order: ['account', 'path', 'received_on'],
};

/** The table of that schema and name; a missing one is a mistake of the program. */
export function tableOf(schema: Table['schema'], name: string): Table {
  const found = tables.find((table) => table.schema === schema && table.name === name);
  if (!found) throw new Error(`no table ${schema}.${name} is declared in warehouse/tables.ts`);
  return found;
}
