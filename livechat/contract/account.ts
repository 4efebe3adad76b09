// The lists of an account in the REST API v2.0: agents, groups, tags, goals, greetings, canned responses and status.
import { z } from 'zod';
import { choice, id } from './query.ts';

export const statuses = ['accepting chats', 'not accepting chats', 'offline'] as const;
export const permissions = ['owner', 'administrator', 'normal'] as const;
export const goalTypes = ['custom_variable', 'url', 'api', 'sales_tracker'] as const;

const bit = z.union([z.literal(0), z.literal(1)]);
const status = z.enum(statuses);

const shortAgent = z.object({
  name: z.string(),
  permission: z.string(),
  avatar: z.string(),
  login: z.string(),
  status,
});
export const fullAgent = z.object({
  login: z.string(),
  name: z.string(),
  login_status: z.enum(['accepting chats', 'not accepting chats']),
  permission: z.enum(permissions),
  daily_summary: bit,
  job_title: z.string(),
  avatar: z.string(),
  notifications: z.record(z.string(), bit),
  max_chats_count: z.int(),
  work_scheduler: z.record(z.string(), z.object({ enabled: bit, start: z.string(), end: z.string() })).optional(),
  groups: z.array(z.object({ id: z.int(), name: z.string() })),
  status,
  last_logout: z.int(),
  api_key: z.string().optional(),
});
export const group = z.object({
  id: z.int(),
  name: z.string(),
  language: z.string(),
  agents: z.array(z.string()).optional(),
  status,
});
export const tag = z.object({
  name: z.string(),
  author: z.string(),
  creation_date: z.int(),
  count: z.object({ inChats: z.int(), inTickets: z.int() }),
  group: z.int(),
});
const shortGoal = z.object({ id: z.int(), name: z.string(), active: bit, type: z.enum(goalTypes) });
const fullGoal = z.looseObject(shortGoal.shape);
const greetingRule = z.object({
  id: z.int(),
  value: z.string().optional(),
  type: z.string(),
  operator: z.string().optional(),
  condition: z.string(),
  variable_name: z.string().optional(),
  variable_value: z.string().optional(),
  urls: z.array(z.object({ url: z.string(), operator: z.string() })).optional(),
});
export const greeting = z.object({
  id: z.int(),
  active: z.boolean(),
  name: z.string(),
  rules: z.array(greetingRule),
  properties: z.looseObject({ active: z.string(), 'greeting-message_text': z.string() }),
});
const cannedResponse = z.object({
  id: z.int(),
  group: z.int(),
  text: z.string(),
  creation_date: z.int(),
  created_by: z.string(),
  modification_date: z.int().optional(),
  modified_by: z.string().optional(),
  tags: z.array(z.string()),
});
export const availability = z.object({ status: z.enum(['online', 'offline']) });

interface ListDefinition<
  A extends z.ZodType = z.ZodType,
  E extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  path: string;
  args: A;
  each: E;
  /** The answer for one id under the same path. */
  one: O;
}
const list = <A extends z.ZodType, E extends z.ZodType, O extends z.ZodType = E>(
  path: string,
  args: A,
  each: E,
  one: O = each as unknown as O,
): ListDefinition<A, E, O> => ({ path, args, each, one });

const ofGroup = z.object({ group: id('group id') });

/** Lists that are answered whole, as an array, and one by one below their path. */
export const lists = {
  agents: list('/agents', z.object({ status: choice(statuses) }), shortAgent, fullAgent),
  groups: list('/groups', z.object({}), group),
  tags: list('/tags', ofGroup, tag),
  goals: list('/goals', z.object({ type: choice(goalTypes) }), shortGoal, fullGoal),
  greetings: list('/greetings', ofGroup, greeting),
  canned_responses: list('/canned_responses', ofGroup, cannedResponse),
} as const satisfies Record<string, ListDefinition>;
export type ListId = keyof typeof lists;
export const listIds = Object.keys(lists) as ListId[];

/** `GET /status?group=` and `GET /status/<group>`: online or offline. */
export const chatStatus = { path: '/status', args: ofGroup, answer: availability };
