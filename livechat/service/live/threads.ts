// Threads of a v3 chat: those of the archive, also of the simulated account, and those that no report counts.
import { putChat, type ServiceAccount } from '../account.ts';
import { openEnded, type ChatRecord, type LiveThread } from '../records.ts';
import { refuse } from '../refusals.ts';
import { userList } from '../user-list.ts';
import { shownEvents } from '../threads/events.ts';
import type { ChatState, CustomerRecord, UncountedThread } from '../live-tables.ts';
import type { Turn } from './turn.ts';

/** A v3 chat: the threads of one customer, or of agents among themselves. */
export interface Chat {
  id: string;
  customer: CustomerRecord | undefined;
  state: ChatState;
}

export interface ChatThread {
  chat_id: string;
  /** Where it is stored, unless no report counts it or it is new. */
  number: number | undefined;
  state: 'counted' | UncountedThread['state'];
  /** Unix seconds; when the customer began to wait, of a thread in the queue. */
  created: number;
  record: ChatRecord;
}

/** A thread by its id and beginning. */
export interface ThreadKey {
  id: string;
  created: number;
  ended: number;
}

/** The chat of that id, as far as it has begun. Throws not_found. */
export function chatNamed(account: ServiceAccount, id: string): Chat {
  const chat = findChat(account, id);
  if (!chat) throw refuse.v3('not_found', `there is no chat ${id}`);
  return chat;
}

export function findChat({ store, now }: ServiceAccount, id: string): Chat | undefined {
  const state = store.live.chatState(id);
  const customer = store.live.customerByChat(id);
  if (state) return { id, customer, state };
  const has_begun = customer && store.visitsOf(customer.visitor_id).some(({ started }) => started <= now());
  return has_begun ? { id, customer, state: newChatState(id, customer.visitor_id) } : undefined;
}

export const newChatState = (id: string, visitor_id: string | null): ChatState => ({
  ...{ id, visitor_id, groups: null, properties: {}, is_continuous: false, followers: [], seen: {} },
});

/** All threads of the chat that have begun, oldest first. */
export function threadKeys({ store, now }: ServiceAccount, { id, customer }: Chat): ThreadKey[] {
  const counted = customer
    ? store
        .visitsOf(customer.visitor_id)
        .filter(({ started }) => started <= now())
        .map(({ id: own, started: created, ended }) => ({ id: own, created, ended }))
    : [];
  const others = store.live
    .uncountedOfChat(id)
    .map(({ id: own, created, record: { ended } }) => ({ id: own, created, ended }));
  return [...counted, ...others].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
}

export function latestThread(account: ServiceAccount, chat: Chat): ChatThread | undefined {
  const last = latestKey(account, chat);
  return last && findThread(account, chat, last.id, account.store.body);
}

/** The same for whoever only reads it. */
export function latestShared(account: ServiceAccount, chat: Chat): ChatThread | undefined {
  const last = latestKey(account, chat);
  return last && findThread(account, chat, last.id, account.store.sharedBody);
}

/** Of threads that begin within one second, the one that goes on. */
export const latestKey = (account: ServiceAccount, chat: Chat): ThreadKey | undefined =>
  threadKeys(account, chat)
    .sort((a, b) => a.created - b.created || a.ended - b.ended)
    .at(-1);

/** The thread of that id in the chat. Throws not_found. */
export function threadNamed(account: ServiceAccount, chat: Chat, id: string): ChatThread {
  const thread = findThread(account, chat, id, account.store.body);
  if (!thread) throw refuse.v3('not_found', `the chat ${chat.id} has no thread ${id}`);
  return thread;
}

function findThread(
  { store, now }: ServiceAccount,
  { id: chat_id, customer }: Chat,
  id: string,
  bodyOf: (number: number) => ChatRecord,
): ChatThread | undefined {
  const number = store.live.numberOf(id);
  if (number !== undefined) {
    const record = bodyOf(number);
    const is_own = record.visitor.id === customer?.visitor_id && record.started <= now();
    return is_own ? { chat_id, number, state: 'counted', created: record.started, record } : undefined;
  }
  const other = store.live.uncounted(id);
  return other?.chat_id === chat_id ? { ...other, number: undefined } : undefined;
}

/** Whether events can be added to the thread. */
export const isActive = ({ record, state, created }: ChatThread, now: number): boolean =>
  state !== 'left' && created <= now && now < record.ended;

/** The active thread. Throws chat_inactive. */
export function activeThread(account: ServiceAccount, chat: Chat): ChatThread {
  const last = latestThread(account, chat);
  if (!last || !isActive(last, account.now())) throw refuse.v3('chat_inactive');
  return last;
}

/** The active thread, or the last one when the event may be attached to it. Throws chat_inactive. */
export function openThread({ account, now }: Turn, chat: Chat, may_attach: boolean): ChatThread {
  const last = latestThread(account, chat);
  if (!last || (!isActive(last, now) && !may_attach)) throw refuse.v3('chat_inactive');
  return last;
}

/** The active thread of a customer, if there is one. */
export function activeThreadOf(account: ServiceAccount, { chat_id }: CustomerRecord): ChatThread | undefined {
  const chat = findChat(account, chat_id);
  const last = chat && latestThread(account, chat);
  return last && isActive(last, account.now()) ? last : undefined;
}

/**
 * What callers did to the thread; of a thread that nobody has touched it begins here. A simulated chat that is open goes on by its callers
 * alone from then on: whatever the simulation had planned for it later is dropped.
 */
export function liveOf(thread: ChatThread, now: number): LiveThread {
  const { record, chat_id } = thread;
  if (record.live) return record.live;
  const is_open = isActive(thread, now);
  const members = userList(record, now);
  if (is_open) cutAt(record, now);
  record.live = {
    chat_id,
    members,
    properties: {},
    event_properties: {},
    last_event: shownEvents(record, now).length,
    active_at: now,
  };
  return record.live;
}

function cutAt(record: ChatRecord, now: number): void {
  const happened = <T extends { at: number }>(list: readonly T[]): T[] => list.filter(({ at }) => at <= now);
  record.ended = openEnded;
  for (const key of ['events', 'ratings', 'tags', 'goals', 'postchat_survey'] as const)
    record[key] = happened<{ at: number }>(record[key]) as never;
}

/** Writes the thread; memory follows after the action. */
export function save(turn: Turn, thread: ChatThread): void {
  const { account } = turn;
  const { store } = account;
  const { record, chat_id, state, created } = thread;
  if (state !== 'counted') {
    store.live.putUncounted({ id: record.id, chat_id, state, created, record });
    return;
  }
  const light = thread.number === undefined ? store.addChat(record) : store.changeChat(thread.number, record);
  thread.number = light.number;
  store.live.dropUncounted(record.id);
  turn.after.push(() => putChat(account, light));
}

/** Writes the state of the chat. */
export function saveChat({ account }: Turn, { state }: Chat): void {
  account.store.live.putChatState(state);
}
