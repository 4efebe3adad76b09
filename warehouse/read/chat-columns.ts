// The available columns in tables of chats, each with its title, unit and meaning.
import { broughtTo } from '../definitions/used.ts';
import type { ColumnType } from '../tables/tables.ts';

/** Tables with several rows per chat, aggregated to one. */
export const besides = ['agents', 'groups', 'tags', 'variables', 'messages', 'goals', 'comments'] as const;
export type Beside = (typeof besides)[number];

/** `local`: a clock time of the question's zone, to the second. */
export type ChatColumnType = Exclude<ColumnType, 'date'> | 'local';

/** Inputs for expressions over a chat. */
export interface ChatTerms {
  /** Local time of a Unix second, in the question's zone. */
  local(second: string): string;
  /** The zone's name, written out. */
  timezone: string;
}

interface ChatColumn {
  title: string;
  description: string;
  type: ChatColumnType;
  unit?: 'seconds' | 'messages' | 'goals' | 'sales' | 'money';
  /** An expression over a chat as `c` and the related data, such as `of_agents`. */
  sql: string | ((terms: ChatTerms) => string);
  beside?: Beside;
  /** Whether the column is included by default. */
  isUsual?: true;
  /** Whether the column names the agent. */
  namesAgent?: true;
}

const usual = { isUsual: true } as const;
const said = (column: string): ChatColumn['sql'] => `c.${column}`;
const counted = (column: string): string => `coalesce(${column}, 0)`;

/** By id, in the order in which files have them. */
export const chatColumns = {
  chat_id: { ...usual, title: 'Chat', description: 'Id of the chat', type: 'text', sql: said('chat_id') },
  started: {
    ...usual,
    title: 'Started',
    description: 'When the chat started, local time of the column Time zone',
    type: 'local',
    sql: ({ local }) => local('c.started_second'),
  },
  ended: {
    ...usual,
    title: 'Ended',
    description: 'When the chat ended, local time of the column Time zone',
    type: 'local',
    sql: ({ local }) => local('c.ended_second'),
  },
  timezone: {
    ...usual,
    title: 'Time zone',
    description: 'Zone of the local times, as asked',
    type: 'text',
    sql: ({ timezone }) => timezone,
  },
  started_at: {
    title: 'Started (UTC)',
    description: 'When the chat started, as an instant',
    type: 'instant',
    sql: said('started_at'),
  },
  ended_at: {
    title: 'Ended (UTC)',
    description: 'When the chat ended, as an instant',
    type: 'instant',
    sql: said('ended_at'),
  },
  duration_seconds: {
    ...usual,
    title: 'Duration',
    description: 'From the start of the chat to its end',
    type: 'int',
    unit: 'seconds',
    sql: broughtTo('duration_seconds'),
  },
  agents: {
    ...usual,
    title: 'Agents',
    description: 'Logins of the agents who took part, the first one first, with “; ” between them',
    type: 'text',
    sql: 'of_agents.logins',
    namesAgent: true,
    beside: 'agents',
  },
  agent_names: {
    ...usual,
    title: 'Agent names',
    description: 'Names of the same agents, in the same order',
    type: 'text',
    sql: 'of_agents.names',
    namesAgent: true,
    beside: 'agents',
  },
  groups: {
    title: 'Group ids',
    description: 'Ids of the groups of the chat, with “; ” between them',
    type: 'text',
    sql: 'of_groups.ids',
    beside: 'groups',
  },
  group_names: {
    ...usual,
    title: 'Groups',
    description: 'Names of the groups of the chat, in the order of their ids',
    type: 'text',
    sql: 'of_groups.names',
    beside: 'groups',
  },
  tags: {
    ...usual,
    title: 'Tags',
    description: 'Tags of the chat, with “; ” between them',
    type: 'text',
    sql: 'of_tags.tags',
    beside: 'tags',
  },
  engagement: {
    title: 'How it began',
    description: 'auto_invite (from a greeting), manual_invite (begun by an agent) or immediate_start (by the visitor)',
    type: 'text',
    sql: said('engagement'),
  },
  queue_seconds: {
    ...usual,
    title: 'Wait in the queue',
    description: 'Before the chat started; empty when the chat did not come from the queue',
    type: 'int',
    unit: 'seconds',
    sql: broughtTo('queue_seconds'),
  },
  first_response_seconds: {
    ...usual,
    title: 'First response',
    description: 'From the first message of the visitor to the first message of an agent after it; empty without both',
    type: 'int',
    unit: 'seconds',
    sql: broughtTo('first_response_seconds'),
  },
  first_response_agent: {
    title: 'First response by',
    description: 'Login of the agent who sent the first response',
    type: 'text',
    sql: said('first_response_agent'),
    namesAgent: true,
  },
  response_seconds: {
    ...usual,
    title: 'Response time',
    description: 'Mean over the turns of the chat, of all its agents; empty without a turn',
    type: 'double',
    unit: 'seconds',
    sql: broughtTo('response_seconds'),
  },
  response_turns: {
    title: 'Answered turns',
    description: 'How many times an agent answered the visitor',
    type: 'int',
    sql: said('response_turns'),
  },
  is_replied: {
    title: 'Replied',
    description: 'Whether an agent wrote something other than the welcome message',
    type: 'bool',
    sql: said('is_replied'),
  },
  messages: {
    title: 'Messages',
    description: 'Messages and attachments of the visitor and of agents',
    type: 'int',
    unit: 'messages',
    sql: said('message_count'),
  },
  visitor_messages: {
    ...usual,
    title: 'Messages of the visitor',
    description: 'Messages and attachments of the visitor',
    type: 'int',
    unit: 'messages',
    sql: counted('of_messages.by_visitor'),
    beside: 'messages',
  },
  agent_messages: {
    ...usual,
    title: 'Messages of agents',
    description: 'Messages and attachments of agents, the welcome message included',
    type: 'int',
    unit: 'messages',
    sql: counted('of_messages.by_agent'),
    beside: 'messages',
  },
  rate: {
    ...usual,
    title: 'Rating',
    description: 'rated_good, rated_bad, rated (neither) or not_rated; the last one counts',
    type: 'text',
    sql: said('rate'),
  },
  comment: {
    ...usual,
    title: 'Comment',
    description: 'Answers after the chat in the visitor’s own words, with “; ” between them',
    type: 'text',
    sql: 'of_comments.comments',
    beside: 'comments',
  },
  goals: {
    title: 'Goals',
    description: 'Goals that the chat reached, whenever it did',
    type: 'int',
    unit: 'goals',
    sql: counted('of_goals.reached'),
    beside: 'goals',
  },
  goal_names: {
    title: 'Names of goals',
    description: 'Names of the goals that the chat reached, with “; ” between them',
    type: 'text',
    sql: 'of_goals.names',
    beside: 'goals',
  },
  sales: {
    title: 'Sales',
    description: 'Tracked sales with a price above 0 and a currency',
    type: 'int',
    unit: 'sales',
    sql: counted('of_goals.sold'),
    beside: 'goals',
  },
  turnover: {
    title: 'Turnover',
    description: 'Sum of the prices of these sales; empty where they are in several currencies, which are never added',
    type: 'decimal',
    unit: 'money',
    sql: 'case when of_goals.currencies = 1 then of_goals.turnover end',
    beside: 'goals',
  },
  currency: {
    title: 'Currency',
    description: 'Of the turnover; with “; ” between them where there are several',
    type: 'text',
    sql: 'of_goals.currency',
    beside: 'goals',
  },
  country: {
    ...usual,
    title: 'Country',
    description: 'Country of the visitor, in English',
    type: 'text',
    sql: said('country'),
  },
  variables: {
    title: 'Variables',
    description: 'Values of the declared variables, as “Plan: pro”; with “; ” between them',
    type: 'text',
    sql: 'of_variables.variables',
    beside: 'variables',
  },
  city: { title: 'City', description: 'City of the visitor', type: 'text', sql: said('city') },
  visitor_id: {
    title: 'Visitor',
    description: 'Id of the visitor; the same person keeps it',
    type: 'text',
    sql: said('visitor_id'),
  },
  visitor_name: {
    ...usual,
    title: 'Visitor name',
    description: 'Name that the visitor gave',
    type: 'text',
    sql: said('visitor_name'),
  },
  start_url: {
    title: 'Started on',
    description: 'Page on which the chat started',
    type: 'text',
    sql: said('start_url'),
  },
  referrer: { title: 'Came from', description: 'Referring address', type: 'text', sql: said('referrer') },
} as const satisfies Record<string, ChatColumn>;

export type ChatColumnId = keyof typeof chatColumns;
export const chatColumnIds = Object.keys(chatColumns) as ChatColumnId[];

export const chatColumn = (id: ChatColumnId): ChatColumn => chatColumns[id];

/** The default columns. */
export const usualColumns: readonly ChatColumnId[] = chatColumnIds.filter((id) => chatColumn(id).isUsual);
