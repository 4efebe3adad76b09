// The customer's own chat in the Customer Chat Web API v3.3: lists, start, resume, deactivate, what is said, properties.
import type { CustomerArgs } from '#contract/customer-chat.ts';
import type { CustomerEvent } from '#contract/events-v3.ts';
import type { PropertyValues } from '#contract/properties.ts';
import type { CustomerRecord } from '../live-tables.ts';
import { begin, hasActiveThread, NobodyAvailable, type Beginning } from '../live/begin.ts';
import { end } from '../live/end.ts';
import { keepFile } from '../live/files.ts';
import { pageOfThreads } from '../live/list-threads.ts';
import { allAgents } from '../live/members.ts';
import { pressButton } from '../live/postback.ts';
import {
  deleteChatProperties as dropOfChat,
  deleteEventProperties as dropOfEvent,
  deleteThreadProperties as dropOfThread,
  updateChatProperties as putOfChat,
  updateEventProperties as putOfEvent,
  updateThreadProperties as putOfThread,
} from '../live/properties-of.ts';
import { demandValues, withValues } from '../live/properties.ts';
import { say, type Utterance } from '../live/say.ts';
import { markSeen, see } from '../live/seen.ts';
import {
  activeThread,
  findChat,
  isActive,
  latestThread,
  newChatState,
  openThread,
  save,
  threadNamed,
  type Chat,
} from '../live/threads.ts';
import type { Turn } from '../live/turn.ts';
import { momentOf } from '../names.ts';
import { refuse } from '../refusals.ts';
import { authorOf, ownChat, signedIn, writing } from './action.ts';
import { chatForCustomer, threadForCustomer } from './show.ts';

/** A customer has one chat, so there is one page. */
export const listChats = signedIn<'list_chats'>(({ account, customer, args, now }) => {
  if (args.page_id !== undefined) throw refuse.v3('validation', '`page_id` is not one that was given');
  const chat = findChat(account, customer.chat_id);
  if (!chat) return { chats_summary: [], total_chats: 0 };
  const last = latestThread(account, chat);
  const { thread, ...shown } = chatForCustomer(account, chat, last, now);
  const place = thread && { thread_id: thread.id, thread_created_at: thread.created_at };
  const summary = {
    ...shown,
    ...(last && { last_thread_id: last.record.id, last_thread_created_at: momentOf(last.created) }),
    last_event_per_type: Object.fromEntries((thread?.events ?? []).map((event) => [event.type, { ...place!, event }])),
    active: last !== undefined && isActive(last, now),
  };
  return { chats_summary: [summary], total_chats: 1 };
});

export const listThreads = signedIn<'list_threads'>(({ account, customer, args, now }) => {
  const chat = ownChat(account, customer, args.chat_id);
  const { sort_order = 'desc', limit = 3 } = args;
  const { keys, ...page } = pageOfThreads(account, chat, args, { order: sort_order, limit }, now);
  return {
    threads: keys.map(({ id }) => threadForCustomer(account, chat, threadNamed(account, chat, id), now)),
    ...page,
  };
});

export const getChat = signedIn<'get_chat'>(({ account, customer, args, now }) => {
  const chat = ownChat(account, customer, args.chat_id);
  const thread =
    args.thread_id === undefined ? latestThread(account, chat) : threadNamed(account, chat, args.thread_id);
  return chatForCustomer(account, chat, thread, now);
});

type Begun = NonNullable<CustomerArgs<'start_chat'>['chat']>;

export const startChat = writing<'start_chat'>((turn, { customer, args, headers, client_id }) => {
  const id = customer.chat_id;
  if (findChat(turn.account, id)) throw refuse.v3('validation', 'the customer has a chat already: resume it');
  const chat: Chat = { id, customer, state: newChatState(id, customer.visitor_id) };
  const { thread, event_ids } = beginByCustomer(turn, chat, customer, args.chat ?? {}, { ...args, headers, client_id });
  return { chat_id: id, thread_id: thread.record.id, ...(event_ids.length > 0 && { event_ids }) };
});

export const resumeChat = writing<'resume_chat'>((turn, { account, customer, args, headers, client_id }) => {
  const chat = ownChat(account, customer, args.chat.id);
  if (hasActiveThread(account, chat)) throw refuse.v3('validation', 'the chat has an active thread');
  const { thread, event_ids } = beginByCustomer(turn, chat, customer, args.chat, { ...args, headers, client_id });
  return { thread_id: thread.record.id, ...(event_ids.length > 0 && { event_ids }) };
});

interface Mode {
  active?: boolean | undefined;
  continuous?: boolean | undefined;
  headers: Headers;
  client_id: string | undefined;
}

function beginByCustomer(
  turn: Turn,
  chat: Chat,
  customer: CustomerRecord,
  { access, properties = {}, thread = {} }: Begun,
  { active = true, continuous, headers, client_id }: Mode,
) {
  const { account } = turn;
  const author = authorOf(customer);
  demandValues(properties, 'chat', 'customer');
  chat.state.properties = withValues(chat.state.properties, properties, 'customer');
  const groups = access?.group_ids ?? allAgents;
  if (groups.some((id) => !account.staff.groups.some((group) => group.id === id))) throw refuse.v3('group_not_found');
  if (access || chat.state.groups) chat.state.groups = groups;
  const beginning: Beginning = {
    ...{ author, others: [], groups, is_active: active, is_continuous: continuous, client_id },
    events: (thread.events ?? []).map((event) => ({ author, said: said(event, customer) })),
    properties: thread.properties ?? {},
    page: { url: headers.get('referer') ?? '', referrer: null },
  };
  try {
    return begin(turn, chat, beginning);
  } catch (error) {
    if (error instanceof NobodyAvailable) throw refuse.v3('groups_offline');
    throw error;
  }
}

/** Customers speak to everybody or to agents alone, and as nobody else. */
function said({ recipients = 'all', author_id, ...event }: CustomerEvent, { id }: CustomerRecord): Utterance {
  if (author_id !== undefined && author_id !== id)
    throw refuse.v3('validation', 'event.author_id: must be the customer');
  demandValues((event.properties ?? {}) as PropertyValues, 'event', 'customer');
  return { ...event, visibility: recipients };
}

export const deactivateChat = writing<'deactivate_chat'>((turn, { account, customer, args }) => {
  const thread = activeThread(account, ownChat(account, customer, args.id));
  const { id, name } = authorOf(customer);
  const text_vars = { customer: name };
  end(turn, thread, { type: 'manual_archived_customer', text_vars, user_id: id, user_type: 'visitor' });
  return {};
});

export const sendEvent = writing<'send_event'>((turn, { account, customer, args, now }) => {
  const chat = ownChat(account, customer, args.chat_id);
  const thread = openThread(turn, chat, args.attach_to_last_thread ?? false);
  const event_id = say(turn, thread, authorOf(customer), said(args.event, customer));
  save(turn, thread);
  see(turn, chat, customer.id, now);
  return { event_id };
});

export const uploadFile = signedIn<'upload_file'>(({ account, args, origin }) => keepFile(account, args.file, origin));

export const sendPostback = writing<'send_rich_message_postback'>((turn, { account, customer, args, now }) => {
  pressButton(turn, ownChat(account, customer, args.chat_id), authorOf(customer), args, now);
  return {};
});

/** What is being typed is shown to agents of the real-time interface; this service has the Web interface. */
export const sendSneakPeek = signedIn<'send_sneak_peek'>(({ account, customer, args }) => {
  activeThread(account, ownChat(account, customer, args.chat_id));
  return {};
});

export const updateChatProperties = writing<'update_chat_properties'>((turn, { account, customer, args }) => {
  putOfChat(turn, ownChat(account, customer, args.id), authorOf(customer), args.properties);
  return {};
});

export const deleteChatProperties = writing<'delete_chat_properties'>((turn, { account, customer, args }) => {
  dropOfChat(turn, ownChat(account, customer, args.id), authorOf(customer), args.properties);
  return {};
});

export const updateThreadProperties = writing<'update_thread_properties'>((turn, { account, customer, args }) => {
  putOfThread(turn, ownChat(account, customer, args.chat_id), authorOf(customer), args);
  return {};
});

export const deleteThreadProperties = writing<'delete_thread_properties'>((turn, { account, customer, args }) => {
  dropOfThread(turn, ownChat(account, customer, args.chat_id), authorOf(customer), args);
  return {};
});

export const updateEventProperties = writing<'update_event_properties'>((turn, { account, customer, args }) => {
  putOfEvent(turn, ownChat(account, customer, args.chat_id), authorOf(customer), args);
  return {};
});

export const deleteEventProperties = writing<'delete_event_properties'>((turn, { account, customer, args }) => {
  dropOfEvent(turn, ownChat(account, customer, args.chat_id), authorOf(customer), args);
  return {};
});

export const markEventsAsSeen = writing<'mark_events_as_seen'>((turn, { account, customer, args, now }) => {
  markSeen(turn, ownChat(account, customer, args.chat_id), customer.id, args.seen_up_to, now);
  return {};
});
