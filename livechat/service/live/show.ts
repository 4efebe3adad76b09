// A v3.5 chat as its agents see it now: with one thread, or as a summary.
import type { ChatSummary } from '#contract/agent-chat/chats.ts';
import type { Thread, ThreadedChat, ThreadUser } from '#contract/threads.ts';
import type { ServiceAccount } from '../account.ts';
import { chatProperties, neighbours, threadOf, usersOf, visitsUntil } from '../threads/show.ts';
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

/** `users` are those of the thread. */
export function shownThreadNow(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread,
  now: number,
  users = usersNow(account, chat, thread, now),
): Thread {
  const { record, created } = thread;
  const queue = thread.state === 'queued' ? queueOf(account, record.id) : undefined;
  const visits = chat.customer ? visitsUntil(account, chat.customer.visitor_id, now) : [];
  const { previous_thread_id, next_thread_id } = neighbours(record, visits, everything);
  return {
    ...threadOf(record, now, users, created),
    ...(thread.state === 'left' && { active: false }),
    ...(queue && { queue }),
    ...(previous_thread_id !== undefined && { previous_thread_id }),
    ...(next_thread_id !== undefined && { next_thread_id }),
  };
}

export function shownChat(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread | undefined,
  now: number,
  follower?: string,
): Omit<ThreadedChat, 'thread'> & { thread?: Thread } {
  const users = thread ? usersNow(account, chat, thread, now) : [];
  return {
    id: chat.id,
    users,
    ...(thread && { thread: shownThreadNow(account, chat, thread, now, users) }),
    ...(thread && { properties: chatProperties(thread.record, chat.state) }),
    access: { group_ids: chat.state.groups ?? thread?.record.groups ?? [0] },
    is_followed: follower !== undefined && chat.state.followers.includes(follower),
  };
}

export function shownSummary(
  account: ServiceAccount,
  chat: Chat,
  thread: ChatThread | undefined,
  now: number,
  follower: string,
): ChatSummary {
  const { thread: last, ...rest } = shownChat(account, chat, thread, now, follower);
  if (!last) return { ...rest, is_followed: rest.is_followed ?? false };
  const { events = [], ...summary } = last;
  const { id: thread_id, created_at: thread_created_at } = last;
  return {
    ...rest,
    is_followed: rest.is_followed ?? false,
    last_event_per_type: Object.fromEntries(
      events.map((event) => [event.type, { thread_id, thread_created_at, event }]),
    ),
    last_thread_summary: summary,
  };
}
