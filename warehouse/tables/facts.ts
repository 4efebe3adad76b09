// The facts: flat rows derived from archived chats, without JSON or arrays.
import {
  text,
  int,
  double,
  decimal,
  bool,
  instant,
  maybe,
  ofAgent,
  personal,
  erasedAs,
  telling,
  account,
  chatId,
  startedAt,
  startedQuarter,
  type Column,
  type Table,
} from './table.ts';
import { least_visitors, longest_value, most_values, other_value } from '../variables.ts';

const fact = (name: string, comment: string, columns: Record<string, Column>, key: string[]): Table => ({
  schema: 'facts',
  name,
  comment,
  columns: { account, chat_id: chatId, started_at: startedAt, started_quarter: startedQuarter, ...columns },
  key: ['account', 'chat_id', ...key],
  order: ['account', 'started_quarter', 'chat_id', ...key],
});

/** Columns of chats that a bridge repeats, so that a question about one agent, group or tag reads only that table. */
const repeated = {
  rate: text('not_rated, rated, rated_good or rated_bad; the last value wins'),
  queue_seconds: maybe(int('wait in the queue before started_at; null when the chat did not come from the queue')),
  is_replied: bool('an agent wrote something other than the welcome message'),
};
/** What a bridge repeats besides unless its rows are agents, whose own responses are other numbers. */
const responses = {
  first_response_seconds: maybe(int('first agent message after the first visitor message, minus that visitor message')),
  response_seconds: maybe(double('mean over the turns of the chat; null without a turn')),
};

export const facts: readonly Table[] = [
  fact(
    'chats',
    'One row per ended chat of the archive. Durations in seconds.',
    {
      ended_at: instant('when the chat ended (UTC)'),
      started_second: { type: 'bigint', comment: 'started_at as Unix seconds' },
      ended_second: { type: 'bigint', comment: 'ended_at as Unix seconds' },
      duration_seconds: int('ended minus started'),
      visitor_id: erasedAs('pseudonym', text('visitor id; the same person keeps it')),
      visitor_name: erasedAs('name', personal(maybe(text('name the visitor gave')))),
      country: maybe(text('country name in English')),
      country_code: maybe(text('ISO 3166-1 alpha-2 code')),
      city: personal(maybe(text('city'))),
      region: personal(maybe(text('region'))),
      visitor_timezone: maybe(text("visitor's own zone")),
      rate: repeated.rate,
      engagement: text('auto_invite, manual_invite or immediate_start (also when missing or unknown at the source)'),
      start_url: personal(maybe(text('page on which the chat started'))),
      referrer: personal(maybe(text('referring address'))),
      queue_seconds: repeated.queue_seconds,
      is_replied: repeated.is_replied,
      message_count: int('messages and attachments of visitor and agents'),
      first_response_seconds: responses.first_response_seconds,
      first_response_agent: ofAgent(maybe(text('login of the agent who sent that first response'))),
      response_seconds: responses.response_seconds,
      response_turns: int('number of answered turns'),
      source_timezone: maybe(text('zone in which the source wrote its human-readable dates')),
      source: text('which archive fed the row: rest_v2 (GET /chats) or agent_v3 (list_archives of v3.5)'),
      content_hash: maybe(text('hash of the record as received, to see a change')),
      pull_id: text('the pull that brought this version of the chat'),
      redaction: maybe(
        text('fingerprint of the rules of redaction under which its texts were decoded; null when none'),
      ),
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
      agent: ofAgent(maybe(text('login of the agent it belongs to'))),
      author_name: erasedAs('visitors_name', personal(ofAgent(maybe(text('display name of the author'))))),
      event_type: maybe(text('for events: what happened, e.g. closed')),
      is_welcome: bool('the first agent message, before every visitor message'),
      text: telling('texts', erasedAs('dots', personal(text('the words, as received')))),
      files: telling('both', personal(maybe(text('attachment addresses, one a line')))),
    },
    ['position'],
  ),
  fact(
    'chat_agents',
    'One row per chat and agent who took part, also silent ones; supervisors never.',
    {
      agent: ofAgent(text('login')),
      agent_name: ofAgent(maybe(text('display name in that chat'))),
      position: int('0-based place in the list of agents'),
      first_response_seconds: maybe(int('set when this agent sent the first response of the chat')),
      response_sum_seconds: double('seconds over the turns that this agent closed'),
      response_turns: int('turns that this agent closed'),
      ...repeated,
    },
    ['agent'],
  ),
  fact(
    'chat_turns',
    'One row per answered turn of a chat: from the first unanswered message of the visitor to the next message of an agent.',
    {
      position: int('0-based place within the chat; the turn at 0 is the first response'),
      agent: ofAgent(maybe(text('login of the agent who answered'))),
      asked_second: { type: 'bigint', comment: 'when the visitor wrote, as Unix seconds' },
      answered_second: { type: 'bigint', comment: 'when the agent wrote, as Unix seconds' },
    },
    ['position'],
  ),
  fact(
    'chat_groups',
    'One row per chat and group it belongs to.',
    { group_id: int('group id; 0 is a group like any other'), ...repeated, ...responses },
    ['group_id'],
  ),
  fact(
    'chat_tags',
    'One row per chat and tag. Tags are case sensitive.',
    { tag: text('tag'), ...repeated, ...responses },
    ['tag'],
  ),
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
      order_id: personal(maybe(text('order id'))),
      order_description: personal(maybe(text('order description'))),
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
      answer: telling('both', erasedAs('dots', personal(text('answer as given')))),
      question_id: maybe(text('id of the question')),
    },
    ['survey', 'position'],
  ),
  fact(
    'chat_variables',
    'One row per chat and custom variable that the site set; when it set one twice, the last value. Integration variables are not kept.',
    {
      name: text('name of the variable, as the tracking code of the site has it'),
      value: telling('both', erasedAs('dots', personal(text('value as received; sites also set names and addresses')))),
    },
    ['name'],
  ),
  fact(
    'chat_dimensions',
    'One row per chat and declared variable (account.variables) that it has a value of. Filled when the snapshot was published.',
    {
      variable_id: text('of account.variables'),
      value: text(
        `value, without blanks around it; ${other_value} for all but the ${most_values} most frequent, for what fewer than ${least_visitors} visitors gave, and for what is longer than ${longest_value} characters`,
      ),
    },
    ['variable_id'],
  ),
];
