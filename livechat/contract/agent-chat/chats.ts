// Actions of the Agent Chat Web API v3.5 on chats: lists, start, end, follow, and who takes part.
import { z } from 'zod';
import { action, emptyAnswer, groupId, isFirstPageOnly, name, pageAlone, pageId, sortOrder, upTo } from '../actions.ts';
import { agentEvent } from '../events-v3.ts';
import { listArchives, propertiesFilter } from '../list-archives.ts';
import { firstValues } from '../properties.ts';
import { access, moment, properties, thread, threadedChat, threadEvent, threadsPage, user } from '../threads.ts';
import { readChats, writeChats } from './scopes.ts';

const chatSummary = z.object({
  id: name,
  last_event_per_type: z
    .record(z.string(), z.object({ thread_id: z.string(), thread_created_at: moment, event: threadEvent }))
    .optional(),
  users: z.array(user),
  last_thread_summary: thread.omit({ events: true }).optional(),
  properties: properties.optional(),
  access: access.optional(),
  is_followed: z.boolean(),
});
export type ChatSummary = z.infer<typeof chatSummary>;

const groupIds = z.array(groupId).max(200, 'takes at most 200 ids');

export const listChats = z
  .object({
    filters: z
      .strictObject({
        include_active: z.boolean(),
        include_chats_without_threads: z.boolean(),
        group_ids: groupIds,
        properties: propertiesFilter,
      })
      .partial()
      .optional(),
    sort_order: sortOrder.optional(),
    limit: upTo(100).optional(),
    page_id: pageId.optional(),
  })
  .refine(isFirstPageOnly('filters', 'limit', 'sort_order'), pageAlone('filters', 'limit', 'sort_order'));

const minimum = { path: ['min_events_count'], error: 'cannot be combined with limit or filters' };
export const listThreads = z
  .object({
    chat_id: name,
    sort_order: sortOrder.optional(),
    limit: upTo(100).optional(),
    page_id: pageId.optional(),
    min_events_count: upTo(100).optional(),
    filters: z.strictObject({ from: moment, to: moment }).partial().optional(),
  })
  .refine(
    ({ min_events_count, limit, filters }) =>
      min_events_count === undefined || (limit === undefined && filters === undefined),
    minimum,
  )
  .refine(
    isFirstPageOnly('filters', 'limit', 'sort_order', 'min_events_count'),
    pageAlone('filters', 'limit', 'sort_order', 'min_events_count'),
  );

const pages = { next_page_id: z.string().optional(), previous_page_id: z.string().optional() };
const threadList = z.object({ threads: z.array(thread), found_threads: z.int().nonnegative(), ...pages });

/** Users besides the caller: up to four agents and one customer. */
const users = z
  .array(z.object({ id: name, type: z.enum(['agent', 'customer'], 'must be agent or customer') }))
  .refine((all) => all.filter(({ type }) => type === 'agent').length <= 4, 'takes at most 4 additional agents')
  .refine((all) => all.filter(({ type }) => type === 'customer').length <= 1, 'takes at most 1 customer');
const begun = {
  properties: firstValues.optional(),
  access: z
    .object({ group_ids: z.array(groupId).min(1, 'must not be empty').max(200, 'takes at most 200 ids') })
    .optional(),
  users: users.optional(),
  thread: z
    .object({ events: z.array(agentEvent).max(50, 'takes at most 50'), properties: firstValues })
    .partial()
    .optional(),
};
const modes = { active: z.boolean().optional(), continuous: z.boolean().optional() };
const startedThread = { thread_id: z.string(), event_ids: z.array(z.string()).optional() };
const present = { ignore_requester_presence: z.boolean().optional() };

export const chatActions = {
  list_chats: action(
    readChats,
    listChats,
    z.object({ chats_summary: z.array(chatSummary), found_chats: z.int().nonnegative(), ...pages }),
  ),
  list_threads: action(readChats, listThreads, threadList),
  get_chat: action(
    readChats,
    z.object({ chat_id: name, thread_id: name.optional() }),
    threadedChat.partial({ thread: true }),
  ),
  list_archives: action(readChats, listArchives.args, threadsPage),
  start_chat: action(
    writeChats,
    z.object({ chat: z.object(begun).optional(), ...modes }),
    z.object({ chat_id: z.string(), ...startedThread }),
    { webhooks: ['incoming_chat'] },
  ),
  resume_chat: action(
    writeChats,
    z.object({ chat: z.object({ id: name, ...begun }), ...modes }),
    z.object(startedThread),
    {
      webhooks: ['incoming_chat'],
    },
  ),
  deactivate_chat: action(writeChats, z.object({ id: name, ...present }), emptyAnswer, {
    webhooks: ['chat_deactivated', 'incoming_event'],
  }),
  follow_chat: action(writeChats, z.object({ id: name }), emptyAnswer),
  unfollow_chat: action([], z.object({ id: name }), emptyAnswer),
  transfer_chat: action(
    writeChats,
    z.object({
      id: name,
      target: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('group'), ids: z.array(groupId).min(1, 'must not be empty').max(200) }),
          z.object({
            type: z.literal('agent'),
            ids: z.array(name).min(1, 'must not be empty').max(1, 'takes one agent'),
          }),
        ])
        .optional(),
      ignore_agents_availability: z.boolean().optional(),
      ...present,
    }),
    emptyAnswer,
    { webhooks: ['chat_transferred', 'incoming_event'] },
  ),
  add_user_to_chat: action(
    writeChats,
    z
      .object({
        chat_id: name,
        user_id: name,
        user_type: z.enum(['agent', 'customer'], 'must be agent or customer'),
        visibility: z.enum(['all', 'agents'], 'must be all or agents'),
        ...present,
      })
      .refine(({ user_type, visibility }) => user_type === 'agent' || visibility === 'all', {
        path: ['visibility'],
        error: 'must be all for a customer',
      }),
    emptyAnswer,
    { webhooks: ['user_added_to_chat', 'incoming_event'] },
  ),
  remove_user_from_chat: action(
    writeChats,
    z.object({ chat_id: name, user_id: name, user_type: z.literal('agent', 'must be agent'), ...present }),
    emptyAnswer,
    { webhooks: ['user_removed_from_chat', 'incoming_event'] },
  ),
  list_agents_for_transfer: action(
    [],
    z.object({ chat_id: name }),
    z.array(z.object({ agent_id: z.string(), total_active_chats: z.int().nonnegative() })),
  ),
} as const;
