// Actions of the Agent Chat Web API v3.5 on what is said in a chat: events, files, properties, tags, what was seen.
import { z } from 'zod';
import { action, emptyAnswer, groupId, name } from '../actions.ts';
import { agentEvent, postback } from '../events-v3.ts';
import { propertyNames, propertyValues } from '../properties.ts';
import { moment } from '../threads.ts';
import { readChats, writeChats } from './scopes.ts';

const ofThread = { chat_id: name, thread_id: name };
const ofEvent = { ...ofThread, event_id: name };
const values = { properties: propertyValues };
const names = { properties: propertyNames };
const changed = (owner: string) => ({ webhooks: [`${owner}_properties_updated`] });
const deleted = (owner: string) => ({ webhooks: [`${owner}_properties_deleted`] });
const tag = z.string().min(1, 'must not be empty').max(255, 'must have at most 255 characters');
const recipients = z
  .object({
    agents: z
      .object({ all: z.boolean(), ids: z.array(name).max(1000), groups: z.array(groupId).max(200) })
      .partial()
      .optional(),
    customers: z
      .object({ ids: z.array(name).max(1000) })
      .partial()
      .optional(),
  })
  .refine(
    ({ agents, customers }) =>
      agents?.all === true ||
      [agents?.ids, agents?.groups, customers?.ids].some((list) => list !== undefined && list.length > 0),
    'names nobody: needs agents.all, agents.ids, agents.groups or customers.ids',
  );

export const eventActions = {
  send_event: action(
    writeChats,
    z.object({ chat_id: name, event: agentEvent, attach_to_last_thread: z.boolean().optional() }),
    z.object({ event_id: z.string() }),
    { webhooks: ['incoming_event'] },
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
  send_rich_message_postback: action(writeChats, z.object({ ...ofEvent, postback }), emptyAnswer, {
    webhooks: ['incoming_rich_message_postback'],
  }),
  update_chat_properties: action(writeChats, z.object({ id: name, ...values }), emptyAnswer, changed('chat')),
  delete_chat_properties: action(writeChats, z.object({ id: name, ...names }), emptyAnswer, deleted('chat')),
  update_thread_properties: action(writeChats, z.object({ ...ofThread, ...values }), emptyAnswer, changed('thread')),
  delete_thread_properties: action(writeChats, z.object({ ...ofThread, ...names }), emptyAnswer, deleted('thread')),
  update_event_properties: action(writeChats, z.object({ ...ofEvent, ...values }), emptyAnswer, changed('event')),
  delete_event_properties: action(writeChats, z.object({ ...ofEvent, ...names }), emptyAnswer, deleted('event')),
  tag_thread: action(writeChats, z.object({ ...ofThread, tag }), emptyAnswer, { webhooks: ['thread_tagged'] }),
  untag_thread: action(writeChats, z.object({ ...ofThread, tag }), emptyAnswer, { webhooks: ['thread_untagged'] }),
  mark_events_as_seen: action(readChats, z.object({ chat_id: name, seen_up_to: moment }), emptyAnswer, {
    webhooks: ['events_marked_as_seen'],
  }),
  send_typing_indicator: action(
    writeChats,
    z.object({ chat_id: name, is_typing: z.boolean(), visibility: z.enum(['all', 'agents']).optional() }),
    emptyAnswer,
  ),
  multicast: action(
    ['multicast:rw'],
    z.object({
      recipients,
      content: z.unknown().refine((content) => content !== undefined, 'is required'),
      type: name.optional(),
    }),
    emptyAnswer,
  ),
} as const;
