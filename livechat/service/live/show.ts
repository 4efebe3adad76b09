// A v3.5 chat as its agents see it now: with one thread, or as a summary.
import type { ChatSummary } from '#contract/agent-chat/chats.ts';
import type { Thread, ThreadedChat, ThreadUser } from '#contract/threads.ts';
import type { ServiceAccount } from '../account.ts';
import { lastEvents } from '../threads/events.ts';
import {
  chatForAgents,
  chatProperties,
  neighbours,
  threadForAgents,
  threadOf,
  threadSummary,
  usersOf,
  visitsUntil,
} from '../threads/show.ts';
import { queueOf } from './routing.ts';
import type { Chat, ChatThread } from './threads.ts';

/** Sees every thread; `list_archives` alone tells which are accessible. */
const everything = (): boolean => true;

export function usersNow(
  account: ServiceAccount,
  { customer }: Chat,
  { record }: ChatThread,
  now: number,
): ThreadUser[] {
  return usersOf(account, record, customer ? visitsUntil(account, customer.visitor_id, now) : [], now);
}

/** With properties that agents may not read. `users` are those of the thread. */
export function wholeThread(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread,
  now: number,
  users = usersNow(account, chat, thread, now),
): Thread {
  const { record, created } = thread;
  return { ...threadOf(record, now, users, created), ...besides(account, chat, thread, now) };
}

export function shownThreadNow(account: ServiceAccount, chat: Chat, thread: ChatThread, now: number): Thread {
  return threadForAgents(wholeThread(account, chat, thread, now));
}

/** What is told of a thread beside its record. */
function besides(account: ServiceAccount, { customer }: Chat, thread: ChatThread, now: number) {
  const { record, state } = thread;
  const queue = queueOf(account, thread);
  const visits = customer ? visitsUntil(account, customer.visitor_id, now) : [];
  const { previous_thread_id, next_thread_id } = neighbours(record, visits, everything);
  return {
    ...(state === 'left' && { active: false }),
    ...(queue && { queue }),
    ...(previous_thread_id !== undefined && { previous_thread_id }),
    ...(next_thread_id !== undefined && { next_thread_id }),
  };
}

type NowChat = Omit<ThreadedChat, 'thread'> & { thread?: Thread };

/** With properties that agents may not read. */
export function wholeChat(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread | undefined,
  now: number,
  follower?: string,
): NowChat {
  const users = thread ? usersNow(account, chat, thread, now) : [];
  return {
    id: chat.id,
    users,
    ...(thread && { thread: wholeThread(account, chat, thread, now, users) }),
    ...besidesThread(chat, thread, follower),
  };
}

export function shownChat(...asked: Parameters<typeof wholeChat>): NowChat {
  const { thread, ...chat } = chatForAgents(wholeChat(...asked));
  return { ...chat, ...(thread && { thread: threadForAgents(thread) }) };
}

function besidesThread({ state }: Chat, thread: ChatThread | undefined, follower: string | undefined) {
  return {
    ...(thread && { properties: chatProperties(thread.record, state) }),
    access: { group_ids: state.groups ?? thread?.record.groups ?? [0] },
    is_followed: follower !== undefined && state.followers.includes(follower),
  };
}

export function shownSummary(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread | undefined,
  now: number,
  follower: string,
): ChatSummary {
  const rest = chatForAgents(besidesThread(chat, thread, follower));
  if (!thread) return { id: chat.id, users: [], ...rest };
  const { record, created } = thread;
  const users = usersNow(account, chat, thread, now);
  const last = {
    ...threadForAgents(threadSummary(record, now, users, created)),
    ...besides(account, chat, thread, now),
  };
  const { id: thread_id, created_at: thread_created_at } = last;
  return {
    ...{ id: chat.id, users, ...rest },
    last_event_per_type: Object.fromEntries(
      lastEvents(record, now).map((event) => [event.type, { thread_id, thread_created_at, event }]),
    ),
    last_thread_summary: last,
  };
}
