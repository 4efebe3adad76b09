// Actions of the Agent Chat Web API v3.5 on customers and on who accepts chats.
import { z } from 'zod';
import { action, emptyAnswer, groupId, isFirstPageOnly, name, pageAlone, pageId, sortOrder, upTo } from '../actions.ts';
import { geolocation, moment } from '../threads.ts';
import { readCustomers, writeCustomers } from './scopes.ts';

const counts = z.int().nonnegative();
export const customer = z.object({
  id: name,
  type: z.literal('customer'),
  name: z.string().optional(),
  email: z.string().optional(),
  avatar: z.string().optional(),
  created_at: moment,
  session_fields: z.array(z.record(z.string(), z.string())).optional(),
  statistics: z.object({
    chats_count: counts,
    threads_count: counts,
    visits_count: counts,
    page_views_count: counts,
    greetings_shown_count: counts,
    greetings_accepted_count: counts,
  }),
  last_visit: z
    .object({
      started_at: moment,
      ended_at: moment.optional(),
      referrer: z.string().optional(),
      ip: z.string(),
      user_agent: z.string(),
      geolocation,
      last_pages: z.array(z.object({ opened_at: moment, url: z.string(), title: z.string().optional() })),
    })
    .optional(),
  agent_last_event_created_at: moment.optional(),
  customer_last_event_created_at: moment.optional(),
  chat_ids: z.array(z.string()).optional(),
});
export type Customer = z.infer<typeof customer>;

export const sessionFields = z
  .array(
    z
      .record(name, z.string().max(2_000, 'must have at most 2000 characters'))
      .refine((pair) => Object.keys(pair).length === 1, 'must have one key'),
  )
  .max(100, 'takes at most 100');
export const profile = {
  name: z.string().min(1, 'must not be empty').max(255, 'must have at most 255 characters').optional(),
  email: z.email('must be an e-mail address').max(255, 'must have at most 255 characters').optional(),
  avatar: z
    .url({ protocol: /^https?$/, error: 'must be a web address' })
    .max(2_048, 'must have at most 2048 characters')
    .optional(),
  session_fields: sessionFields.optional(),
};
/** An update says at least one thing. */
export const saysSomething = (args: Record<string, unknown>): boolean =>
  Object.keys(profile).some((field) => args[field] !== undefined);
export const nothingSaid = 'needs at least one of name, email, avatar and session_fields';

const single = (given: object): boolean => Object.values(given).filter((value) => value !== undefined).length <= 1;
const one = 'takes one kind of filter';
const texts = z.array(z.string().max(255)).min(1, 'must not be empty').max(100, 'takes at most 100');
const textFilter = z.strictObject({ values: texts, exclude_values: texts }).partial().refine(single, one);
const groups = z.array(groupId).max(40, 'takes at most 40 ids');
const groupFilter = z.strictObject({ values: groups, exclude_values: groups }).partial().refine(single, one);
const rangeOf = <T extends z.ZodType>(value: T) =>
  z.strictObject({ lte: value, lt: value, gte: value, gt: value, eq: value }).partial().refine(single, one);
export type TextFilter = z.infer<typeof textFilter>;
export type RangeKind = 'lte' | 'lt' | 'gte' | 'gt' | 'eq';

export const customerFilters = z
  .strictObject({
    country: textFilter,
    email: textFilter,
    name: textFilter,
    customer_id: textFilter,
    chat_group_ids: groupFilter,
    chats_count: rangeOf(counts),
    threads_count: rangeOf(counts),
    visits_count: rangeOf(counts),
    created_at: rangeOf(moment),
    agent_last_event_created_at: rangeOf(moment),
    customer_last_event_created_at: rangeOf(moment),
    include_customers_without_chats: z.boolean(),
  })
  .partial();
export type CustomerFilters = z.infer<typeof customerFilters>;

export const customerOrders = [
  'created_at',
  'threads_count',
  'visits_count',
  'agent_last_event',
  'customer_last_event',
] as const;

const routingStatuses = ['accepting_chats', 'not_accepting_chats', 'offline'] as const;
const routingStatus = z.enum(routingStatuses, `must be one of ${routingStatuses.join(', ')}`);
const writeStatus = ['agents--my:rw', 'agents--all:rw', 'agents-bot--my:rw', 'agents-bot--all:rw'];

export const customerActions = {
  get_customer: action(readCustomers, z.object({ id: name }), customer),
  list_customers: action(
    readCustomers,
    z
      .object({
        page_id: pageId.optional(),
        limit: upTo(100).optional(),
        sort_order: sortOrder.optional(),
        sort_by: z.enum(customerOrders, `must be one of ${customerOrders.join(', ')}`).optional(),
        filters: customerFilters.optional(),
      })
      .refine(
        isFirstPageOnly('filters', 'limit', 'sort_order', 'sort_by'),
        pageAlone('filters', 'limit', 'sort_order', 'sort_by'),
      ),
    z.object({
      customers: z.array(customer),
      total_customers: counts,
      next_page_id: z.string().optional(),
      previous_page_id: z.string().optional(),
    }),
  ),
  create_customer: action(writeCustomers, z.object(profile), z.object({ customer_id: z.string() }), {
    webhooks: ['incoming_customer'],
  }),
  update_customer: action(
    writeCustomers,
    z.object({ id: name, ...profile }).refine(saysSomething, nothingSaid),
    emptyAnswer,
    {
      webhooks: ['customer_session_fields_updated'],
    },
  ),
  ban_customer: action(['customers.ban:rw'], z.object({ id: name, ban: z.object({ days: upTo(3650) }) }), emptyAnswer, {
    webhooks: ['chat_deactivated', 'incoming_event'],
  }),
  follow_customer: action(readCustomers, z.object({ id: name }), emptyAnswer),
  unfollow_customer: action([], z.object({ id: name }), emptyAnswer),
  set_routing_status: action(writeStatus, z.object({ status: routingStatus, agent_id: name.optional() }), emptyAnswer, {
    webhooks: ['routing_status_set'],
  }),
  list_routing_statuses: action(
    ['agents--all:ro', 'agents-bot--all:ro'],
    z.object({
      filters: z
        .strictObject({ group_ids: z.array(groupId).max(200) })
        .partial()
        .optional(),
    }),
    z.array(z.object({ agent_id: z.string(), status: routingStatus })),
  ),
} as const;
