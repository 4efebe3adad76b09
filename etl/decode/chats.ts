// Turns one archived chat into flat rows of the facts tables. Pure; docs/counting.md states the rules.
import type { ArchivedChat } from '#contract/archive.ts';
import { noRedaction, type Redaction } from '../redact/redaction.ts';
import type { ArchiveSource } from '../source.ts';
import { named } from './coerce.ts';
import { counted, linesOf, turnsOf, type ConversationLine, type ConversationTurn } from './conversation.ts';

export type FlatRow = Record<string, string | number | boolean | null>;

/** Rows of one chat by facts table; every table is present. */
export interface DecodedChat {
  chats: FlatRow[];
  messages: FlatRow[];
  chat_agents: FlatRow[];
  chat_turns: FlatRow[];
  chat_groups: FlatRow[];
  chat_tags: FlatRow[];
  chat_goals: FlatRow[];
  chat_surveys: FlatRow[];
  chat_variables: FlatRow[];
}

/** What the pull knows about the chat besides its content. */
export interface Provenance {
  /** Defaults to v2.0. */
  source?: ArchiveSource;
  account: string;
  pull_id: string;
  content_hash: string;
  /** Redaction of its texts; none by default. */
  redaction?: Redaction;
}

const quarter = (second: number): number => Math.floor(second / 900);
const orNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);
const nameOrNull = (text: string | undefined): string | null => named(orNull(text));

/** Redacts a written text before anything else is done with it. */
type Said = <Text extends string | null | undefined>(text: Text) => Text | string;
const saidBy =
  ({ text: redacted }: Redaction): Said =>
  (text) =>
    text ? redacted(text) : text;

const rates = new Set(['not_rated', 'rated', 'rated_good', 'rated_bad']);
const engagements = new Set(['auto_invite', 'manual_invite', 'immediate_start']);

export function decodeChat(chat: ArchivedChat, from: Provenance): DecodedChat {
  const started = chat.started_timestamp;
  const base = { account: from.account, chat_id: chat.id, started_at: started, started_quarter: quarter(started) };
  const lines = linesOf(chat);
  const { redaction = noRedaction } = from;
  const said = saidBy(redaction);
  const conversation = { lines, ...turnsOf(lines) };
  const own = chatColumns(chat, conversation, said);
  const { rate = null, queue_seconds = null, is_replied = null } = own;
  const { first_response_seconds = null, response_seconds = null } = own;
  // An agent's own responses are other numbers.
  const ofAgent = { ...base, rate, queue_seconds, is_replied };
  const ofChat = { ...ofAgent, first_response_seconds, response_seconds };
  return {
    chats: [
      {
        ...{ ...base, ...own, source: from.source ?? 'rest_v2' },
        ...{ content_hash: from.content_hash, pull_id: from.pull_id, redaction: redaction.fingerprint },
      },
    ],
    messages: lines.map((line, position) => messageRow(base, position, line, said)),
    chat_agents: agentRows(chat, conversation).map((row) => ({ ...ofAgent, ...row })),
    chat_turns: conversation.turns.map((turn, position) => turnRow(base, position, turn)),
    chat_groups: [...new Set(chat.group)].map((group_id) => ({ ...ofChat, group_id })),
    chat_tags: [...new Set(chat.tags.map(named))].map((tag) => ({ ...ofChat, tag })),
    chat_goals: (chat.goals ?? []).map((goal, position) => ({
      ...base,
      position,
      ...goalColumns(goal, started, said),
    })),
    chat_surveys: [
      ...surveyRows('pre', chat.prechat_survey, said),
      ...surveyRows('post', chat.postchat_survey, said),
    ].map((row) => ({ ...base, ...row })),
    chat_variables: variableRows(chat.custom_variables, said).map((row) => ({ ...base, ...row })),
  };
}

/** The lines of a chat and what was derived from them. */
interface DecodedConversation {
  lines: readonly ConversationLine[];
  turns: readonly ConversationTurn[];
  first: ConversationTurn | null;
}

function chatColumns(chat: ArchivedChat, { lines, turns, first }: DecodedConversation, said: Said): FlatRow {
  const started = chat.started_timestamp;
  const ended = Math.max(started, chat.ended_timestamp ?? started + chat.duration);
  const waited = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  return {
    ended_at: ended,
    started_second: started,
    ended_second: ended,
    duration_seconds: ended - started,
    visitor_id: chat.visitor.id,
    visitor_name: nameOrNull(said(chat.visitor.name)),
    country: nameOrNull(chat.visitor.country),
    country_code: orNull(chat.visitor.country_code),
    city: nameOrNull(chat.visitor.city),
    region: nameOrNull(chat.visitor.region),
    visitor_timezone: orNull(chat.visitor.timezone),
    rate: rates.has(chat.rate) ? chat.rate : 'not_rated',
    engagement: engagements.has(chat.engagement) ? chat.engagement : 'immediate_start',
    start_url: nameOrNull(said(chat.chat_start_url)),
    referrer: nameOrNull(said(chat.referrer)),
    queue_seconds: chat.queue?.duration ?? null,
    is_replied: lines.some((line) => counted(line) && line.user_type === 'agent' && !line.is_welcome),
    message_count: lines.filter(counted).length,
    first_response_seconds: first?.seconds ?? null,
    first_response_agent: first?.agent ?? null,
    response_seconds: turns.length ? waited / turns.length : null,
    response_turns: turns.length,
    source_timezone: orNull(chat.timezone),
  };
}

/** What every row of a chat begins with. */
interface Base {
  account: string;
  chat_id: string;
  started_at: number;
  started_quarter: number;
}

// TRICKY: a chat has dozens of these; writing the columns out builds a row four times as fast as spreading parts.
const messageRow = (base: Base, position: number, line: ConversationLine, said: Said): FlatRow => ({
  account: base.account,
  chat_id: base.chat_id,
  started_at: base.started_at,
  started_quarter: base.started_quarter,
  position,
  at: line.at,
  at_second: line.at,
  kind: line.kind,
  user_type: line.user_type,
  agent: line.agent,
  // An agent's name is not visitor input, even if it is an address.
  author_name: named(line.user_type === 'visitor' ? said(line.author_name) : line.author_name),
  event_type: line.event_type,
  is_welcome: line.is_welcome,
  text: said(line.text),
  files: said(line.files),
});

const turnRow = (base: Base, position: number, { agent, asked, answered }: ConversationTurn): FlatRow => ({
  account: base.account,
  chat_id: base.chat_id,
  started_at: base.started_at,
  started_quarter: base.started_quarter,
  position,
  agent,
  asked_second: asked,
  answered_second: answered,
});

function agentRows(chat: ArchivedChat, { turns, first }: DecodedConversation): FlatRow[] {
  const seen = new Map(chat.agents.map((agent) => [agent.email, agent.display_name]).reverse() as [string, string][]);
  const logins = [...new Set(chat.agents.map((agent) => agent.email))];
  return logins.map((login, position) => {
    const closed = turns.filter((turn) => turn.agent === login);
    return {
      agent: login,
      agent_name: nameOrNull(seen.get(login)),
      position,
      first_response_seconds: first?.agent === login ? first.seconds : null,
      response_sum_seconds: closed.reduce((sum, turn) => sum + turn.seconds, 0),
      response_turns: closed.length,
    };
  });
}

type ArchivedGoal = NonNullable<ArchivedChat['goals']>[number];

function goalColumns(goal: ArchivedGoal, started: number, said: Said): FlatRow {
  const reached = goal.timestamp ?? started;
  return {
    goal_id: goal.id,
    goal_name: nameOrNull(goal.name),
    is_sale_tracker: goal.type === 'sales_tracker',
    reached_at: reached,
    reached_quarter: quarter(reached),
    order_id: orNull(goal.order.id),
    order_description: nameOrNull(said(goal.order.description)),
    price: priceOf(goal.order.price),
    currency: orNull(goal.order.currency),
  };
}

/** Text or number with a period as the only separator; anything else is not a price. */
function priceOf(price: string | number | undefined): string | null {
  const text = String(price ?? '').trim();
  return /^-?\d{1,14}(\.\d+)?$/.test(text) ? text : null;
}

const surveyRows = (survey: 'pre' | 'post', answers: ArchivedChat['prechat_survey'], said: Said): FlatRow[] =>
  answers.map((answer, position) => ({
    survey,
    position,
    question: answer.key,
    answer: said(answer.value),
    question_id: orNull(answer.id),
  }));

/** The last value of each name wins. */
const variableRows = (variables: ArchivedChat['custom_variables'] = [], said: Said): FlatRow[] =>
  [...new Map(variables.map(({ key, value }) => [named(key), said(value)]))].map(([name, value]) => ({ name, value }));
