// One table per report, as the source reported it: a row per period and split for which it was pulled.
import {
  text,
  int,
  double,
  decimal,
  maybe,
  ofAgent,
  madeOf,
  account,
  pulledAt,
  type Column,
  type Table,
} from './table.ts';

/** A stored answer of the vendor: one row per period and split for which it was pulled. */
const report = (
  name: string,
  path: string,
  comment: string,
  columns: Record<string, Column>,
  key: string[] = [],
): Table => ({
  schema: 'reports',
  name,
  request: `GET /reports${path}`,
  comment: `${comment} As the source reported it.`,
  columns: {
    account,
    timezone: text('IANA zone in which the report was pulled'),
    grain: text('day or hour'),
    split: text('account, group or agent: what the report was asked for'),
    split_value: text('group id or agent login; empty for the whole account'),
    period: text('local period: YYYY-MM-DD or YYYY-MM-DD HH:00'),
    day: { type: 'date', comment: 'local day of the period' },
    ...Object.fromEntries(Object.entries(columns).map(([column, it]) => [column, madeOf(it.fields ?? [column], it)])),
    pulled_at: pulledAt,
    pull_id: text('the pull that brought it'),
  },
  key: ['account', 'timezone', 'grain', 'split', 'split_value', 'period', ...key],
  order: ['account', 'timezone', 'grain', 'split', 'split_value', 'period', ...key],
});

const ranking = (name: string, path: string, comment: string): Table =>
  report(
    name,
    path,
    comment,
    {
      agent: madeOf(['name'], ofAgent(text('login'))),
      good: int('good ratings'),
      bad: int('bad ratings'),
      total: int('good + bad'),
      score: double("the vendor's score"),
    },
    ['agent'],
  );

const waits = (name: string): Record<string, Column> => {
  const count = `${name}.count`;
  const wait = (of: string, comment: string): Column =>
    madeOf([count, `${name}.${of}.seconds`], maybe(double(`${name}: ${comment} in seconds; null without visitors`)));
  return {
    [`${name}_count`]: madeOf([count], int(`${name}: visitors`)),
    [`${name}_min`]: wait('min', 'shortest wait'),
    [`${name}_max`]: wait('max', 'longest wait'),
    [`${name}_average`]: wait('average', 'mean wait'),
  };
};

const responses = (field: string): Record<string, Column> => ({
  count: madeOf([`${field}.count`], int('chats counted')),
  seconds: madeOf([`${field}.seconds`], maybe(double('mean seconds; null when nothing was counted'))),
});
const hours = { hours: madeOf(['hours', 'minutes'], double('hours, at most 1 an hour')) };
const ticketTimes = {
  count: int('tickets counted'),
  hours: maybe(double('mean hours; null when nothing was counted')),
};

export const reports: readonly Table[] = [
  report('total_chats', '/chats/total_chats', 'Number of chats.', { chats: int('chats') }),
  report('engagement', '/chats/engagement', 'Chats by how they began.', {
    chats_from_auto_invite: int('chats from a greeting'),
    chats_from_manual_invite: int('chats that an agent began'),
    chats_from_immediate_start: int('chats that the visitor began'),
  }),
  report('not_replied_chats', '/chats/not_replied_chats', 'Chats without an answer of an agent.', {
    not_replied: int('chats'),
  }),
  report('chat_ratings', '/chats/ratings', 'Rated chats.', {
    good: int('rated good'),
    bad: int('rated bad'),
    chats: int('all chats of the period'),
  }),
  ranking('chat_ranking', '/chats/ratings/ranking', 'Ranking of agents by chat ratings, one day at a time.'),
  report('queued_visitors', '/chats/queued_visitors', 'Visitors whose wait in the queue ended.', {
    queued: madeOf(['queued.count'], int('both')),
    entered_chat: madeOf(['entered_chat.count'], int('entered a chat')),
    left_queue: madeOf(['left_queue.count'], int('left without a chat')),
  }),
  report('waiting_times', '/chats/queued_visitors/waiting_times', 'Waits of queued visitors.', {
    ...waits('queued'),
    ...waits('entered_chat'),
    ...waits('left_queue'),
  }),
  report('availability', '/availability', 'Time in which somebody was accepting chats.', hours),
  report('chatting_time', '/chats/chatting_time', 'Time in which at least one chat was open.', hours),
  report(
    'first_response_time',
    '/chats/first_response_time',
    'Mean time to the first response.',
    responses('first_response_time'),
  ),
  report('response_time', '/chats/response_time', 'Mean time of responses.', responses('avg_response_time')),
  report('agents_occupancy', '/chats/agents_occupancy', 'Most chats open at once within the hour (whole account).', {
    most: madeOf(['*'], int('chats at once')),
  }),
  report(
    'goals',
    '/chats/goals',
    'Goals reached and sales tracked.',
    {
      sales_tracker: madeOf([], int('0: plain goals, 1: tracked sales')),
      currency: madeOf(['value.*'], text('currency of sales_count and value; empty on the row that carries goals')),
      goals: maybe(int('goals; on the row with the empty currency only')),
      sales_count: madeOf(['value.*.sales_count'], maybe(int('records with a price in this currency'))),
      value: madeOf(['value.*.value'], maybe(decimal('sum of prices in this currency'))),
    },
    ['sales_tracker', 'currency'],
  ),
  report('greetings', '/chats/greetings', 'Greetings.', {
    displayed: int('greetings shown'),
    accepted: int('chats from a greeting'),
    goals: int('goals of those chats'),
  }),
  report('new_tickets', '/tickets/new_tickets', 'Tickets created.', { new_tickets: int('tickets') }),
  report(
    'ticket_first_response_time',
    '/tickets/first_response_time',
    'Mean time to the first response to a ticket.',
    ticketTimes,
  ),
  report('solved_tickets', '/tickets/solved_tickets', 'Tickets solved.', { solved_tickets: int('tickets') }),
  report('ticket_resolution_time', '/tickets/resolution_time', 'Mean time from creation to solution.', ticketTimes),
  report('ticket_sources', '/tickets/ticket_sources', 'Tickets created, by source.', {
    tickets_from_chat_window: int('from the chat window'),
    tickets_from_mail: int('from mail'),
    tickets_from_chat: int('from a chat'),
  }),
  report('ticket_ratings', '/tickets/ratings', 'Rated tickets.', { good: int('rated good'), bad: int('rated bad') }),
  ranking('ticket_ranking', '/tickets/ratings/ranking', 'Ranking of agents by ticket ratings, one day at a time.'),
];
