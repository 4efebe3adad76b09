// Actions of the Customer Chat Web API v3.3 on the customer's own chat: lists, start, end, what is said, properties.
import { z } from 'zod';
import { action, emptyAnswer, groupId, isFirstPageOnly, name, pageAlone, pageId, sortOrder, upTo } from '../actions.ts';
import { customerEvent, postback } from '../events-v3.ts';
import { firstValues, propertyNames, propertyValues } from '../properties.ts';
import { access, moment, properties, thread, threadEvent } from '../threads.ts';

/** Agents have a hash for an id and no address; job title and avatar are shown. */
const customerSees = z.discriminatedUnion('type', [
  z.object({
    id: z.string(),
    type: z.literal('customer'),
    name: z.string().optional(),
    email: z.string().optional(),
    avatar: z.string().optional(),
    present: z.boolean(),
    session_fields: z.array(z.record(z.string(), z.string())).optional(),
  }),
  z.strictObject({
    id: z.string().regex(/^[0-9a-f]{32}$/),
    type: z.literal('agent'),
    name: z.string(),
    present: z.boolean(),
    avatar: z.string().optional(),
    job_title: z.string().optional(),
  }),
]);
export type CustomerSeesUser = z.infer<typeof customerSees>;

const event = threadEvent.omit({ visibility: true }).extend({ recipients: z.enum(['all', 'agents']) });
export type CustomerSeesEvent = z.infer<typeof event>;
const shownThread = thread
  .omit({ events: true, tags: true, properties: true })
  .extend({ events: z.array(event), properties });
export type CustomerSeesThread = z.infer<typeof shownThread>;
const shownChat = z.object({
  id: z.string(),
  thread: shownThread.optional(),
  users: z.array(customerSees),
  access,
  properties,
});
export type CustomerSeesChat = z.infer<typeof shownChat>;
const summary = z.object({
  id: z.string(),
  last_thread_id: z.string().optional(),
  last_thread_created_at: moment.optional(),
  last_event_per_type: z.record(z.string(), z.object({ thread_id: z.string(), thread_created_at: moment, event })),
  users: z.array(customerSees),
  access,
  properties,
  active: z.boolean(),
});

const pages = { next_page_id: z.string().optional(), previous_page_id: z.string().optional() };
const paged = { limit: upTo(100).optional(), sort_order: sortOrder.optional(), page_id: pageId.optional() };
const begun = {
  properties: firstValues.optional(),
  access: z
    .object({ group_ids: z.array(groupId).min(1, 'must not be empty').max(200, 'takes at most 200 ids') })
    .optional(),
  thread: z
    .object({ events: z.array(customerEvent).max(50, 'takes at most 50'), properties: firstValues })
    .partial()
    .optional(),
};
const modes = { active: z.boolean().optional(), continuous: z.boolean().optional() };
const started = { thread_id: z.string(), event_ids: z.array(z.string()).optional() };
const ofThread = { chat_id: name, thread_id: name };
const ofEvent = { ...ofThread, event_id: name };
const values = { properties: propertyValues };
const names = { properties: propertyNames };
const told = (...webhooks: string[]) => ({ webhooks });

export const customerChatActions = {
  list_chats: action(
    [],
    z
      .object({ ...paged, limit: upTo(25).optional() })
      .refine(isFirstPageOnly('limit', 'sort_order'), pageAlone('limit', 'sort_order')),
    z.object({ chats_summary: z.array(summary), total_chats: z.int().nonnegative(), ...pages }),
  ),
  list_threads: action(
    [],
    z
      .object({ chat_id: name, ...paged, min_events_count: upTo(100).optional() })
      .refine(({ min_events_count, limit }) => min_events_count === undefined || limit === undefined, {
        path: ['min_events_count'],
        error: 'cannot be combined with limit',
      })
      .refine(
        isFirstPageOnly('limit', 'sort_order', 'min_events_count'),
        pageAlone('limit', 'sort_order', 'min_events_count'),
      ),
    z.object({ threads: z.array(shownThread), found_threads: z.int().nonnegative(), ...pages }),
  ),
  get_chat: action([], z.object({ chat_id: name, thread_id: name.optional() }), shownChat),
  start_chat: action(
    [],
    z.object({ chat: z.object(begun).optional(), ...modes }),
    z.object({ chat_id: z.string(), ...started }),
    told('incoming_chat'),
  ),
  resume_chat: action(
    [],
    z.object({ chat: z.object({ id: name, ...begun }), ...modes }),
    z.object(started),
    told('incoming_chat'),
  ),
  deactivate_chat: action([], z.object({ id: name }), emptyAnswer, told('incoming_event', 'chat_deactivated')),
  send_event: action(
    [],
    z.object({ chat_id: name, event: customerEvent, attach_to_last_thread: z.boolean().optional() }),
    z.object({ event_id: z.string() }),
    told('incoming_event'),
  ),
  upload_file: action(
    [],
    z.object({ file: z.instanceof(File, { error: 'must be a file' }) }),
    z.object({ url: z.string() }),
    {
      is_upload: true,
      webhooks: ['incoming_event'],
    },
  ),
  send_rich_message_postback: action(
    [],
    z.object({ ...ofEvent, postback }),
    emptyAnswer,
    told('incoming_rich_message_postback'),
  ),
  send_sneak_peek: action(
    [],
    z.object({ chat_id: name, sneak_peek_text: z.string().max(16_384, 'must have at most 16384 characters') }),
    emptyAnswer,
  ),
  update_chat_properties: action([], z.object({ id: name, ...values }), emptyAnswer, told('chat_properties_updated')),
  delete_chat_properties: action([], z.object({ id: name, ...names }), emptyAnswer, told('chat_properties_deleted')),
  update_thread_properties: action(
    [],
    z.object({ ...ofThread, ...values }),
    emptyAnswer,
    told('thread_properties_updated'),
  ),
  delete_thread_properties: action(
    [],
    z.object({ ...ofThread, ...names }),
    emptyAnswer,
    told('thread_properties_deleted'),
  ),
  update_event_properties: action(
    [],
    z.object({ ...ofEvent, ...values }),
    emptyAnswer,
    told('event_properties_updated'),
  ),
  delete_event_properties: action(
    [],
    z.object({ ...ofEvent, ...names }),
    emptyAnswer,
    told('event_properties_deleted'),
  ),
  mark_events_as_seen: action(
    [],
    z.object({ chat_id: name, seen_up_to: moment }),
    emptyAnswer,
    told('events_marked_as_seen'),
  ),
} as const;
