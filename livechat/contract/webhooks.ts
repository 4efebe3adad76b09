// The webhooks of the v3.5 APIs: their names, the payload of each, which filters and additional data a registration may ask for.
import { z } from 'zod';

const id = z.string();
const chat = { chat_id: id, thread_id: id };
const stamp = z.string();
/** Namespace, name, value. */
const values = z.record(z.string(), z.record(z.string(), z.unknown()));
/** Namespace, names. */
const names = z.record(z.string(), z.array(z.string()));
const structure = z.looseObject({ id });
const event = z.looseObject({ id, type: z.string() });

/** The payload under each name. */
export const webhookPayloads = {
  incoming_chat: z.object({ chat: structure }),
  chat_deactivated: z.object({ ...chat, user_id: id.optional() }),
  chat_transferred: z.object({
    chat_id: id,
    thread_id: id.optional(),
    requester_id: id.optional(),
    reason: z.string(),
    transferred_to: z.object({ group_ids: z.array(z.int()).optional(), agent_ids: z.array(id).optional() }),
    queue: z.object({ position: z.int(), wait_time: z.int(), queued_at: stamp }).optional(),
  }),
  user_added_to_chat: z.object({ ...chat, user: structure, reason: z.string(), requester_id: id }),
  user_removed_from_chat: z.object({ ...chat, user_id: id, reason: z.string(), requester_id: id }),
  incoming_event: z.object({ ...chat, event }),
  event_updated: z.object({ ...chat, event }),
  incoming_rich_message_postback: z.object({
    user_id: id,
    ...chat,
    event_id: id,
    postback: z.object({ id, toggled: z.boolean() }),
  }),
  chat_properties_updated: z.object({ chat_id: id, properties: values }),
  chat_properties_deleted: z.object({ chat_id: id, properties: names }),
  thread_properties_updated: z.object({ ...chat, properties: values }),
  thread_properties_deleted: z.object({ ...chat, properties: names }),
  event_properties_updated: z.object({ ...chat, event_id: id, properties: values }),
  event_properties_deleted: z.object({ ...chat, event_id: id, properties: names }),
  thread_tagged: z.object({ ...chat, tag: z.string() }),
  thread_untagged: z.object({ ...chat, tag: z.string() }),
  /** The status has spaces here, and underscores in the actions. */
  routing_status_set: z.object({
    agent_id: id,
    status: z.enum(['accepting chats', 'not accepting chats', 'offline']),
  }),
  incoming_customer: z.object({ customer: structure }),
  customer_session_fields_updated: z.object({
    id,
    active_chat: z.object(chat),
    session_fields: z.array(z.record(z.string(), z.string())),
  }),
  events_marked_as_seen: z.object({ user_id: id, chat_id: id, seen_up_to: stamp }),
} as const satisfies Record<string, z.ZodObject>;

export type WebhookAction = keyof typeof webhookPayloads;
export const webhookActions = Object.keys(webhookPayloads) as [WebhookAction, ...WebhookAction[]];
