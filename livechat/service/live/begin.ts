// A thread begins: of a new chat, or one more of a chat that is archived. It is assigned, or waits in the queue, or has its agents already.
import type { PropertyValues } from '#contract/properties.ts';
import type { ServiceAccount } from '../account.ts';
import { isPlainChatId } from '../names.ts';
import { openEnded, type ChatRecord, type VisitorRecord } from '../records.ts';
import { shownChat } from './show.ts';
import { changeOf } from './change.ts';
import { variablesOf } from './customers.ts';
import { nameOfAgent, join, type Author } from './members.ts';
import { putProperties } from './properties.ts';
import { freeAgent, hasQueue, mayWait, nextWaitNumber } from './routing.ts';
import { idAfter, newId, note, say, type Utterance } from './say.ts';
import { isActive, latestKey, latestThread, liveOf, save, saveChat, type Chat, type ChatThread } from './threads.ts';
import type { Turn } from './turn.ts';

export interface Beginning {
  author: Author;
  /** Agents and the customer who are in it from the beginning, besides the author. */
  others: Author[];
  events: { author: Author; said: Utterance }[];
  properties: PropertyValues;
  groups: number[];
  is_active: boolean;
  /** Undefined leaves the mode of the chat. */
  is_continuous: boolean | undefined;
  /** The client of the token that the caller has. */
  client_id: string | undefined;
  /** Where the visitor is. */
  page: { url: string; referrer: string | null };
}

/** Nobody of the groups accepts chats, or all are busy and nobody may wait for them: a chat that is not continuous cannot begin. */
export class NobodyAvailable extends Error {
  override readonly name = 'NobodyAvailable';
}

interface BegunThread {
  thread: ChatThread;
  /** Ids of the events that users sent. */
  event_ids: string[];
}

/** Whether the chat has a thread that goes on. */
export function hasActiveThread(account: ServiceAccount, chat: Chat): boolean {
  const last = latestThread(account, chat);
  return last !== undefined && isActive(last, account.now());
}

/** Begins a thread in the chat and writes both. Throws NobodyAvailable. */
export function begin(turn: Turn, chat: Chat, beginning: Beginning): BegunThread {
  const { account, now } = turn;
  const { author, others, is_active, is_continuous, groups } = beginning;
  const is_of_agent = author.type === 'agent';
  if (is_continuous !== undefined) chat.state.is_continuous = is_continuous;
  // Whoever follows a chat does so until it is active again.
  if (is_active) chat.state.followers = [];
  const next = is_active && !is_of_agent ? freeAgent(account, groups) : undefined;
  const free = chat.state.is_continuous || next === undefined || !hasQueue(account, groups) ? next : undefined;
  const is_served = is_of_agent || free !== undefined || chat.state.is_continuous || !is_active;
  if (!is_served && !mayWait(account, groups)) throw new NobodyAvailable();
  const state = !chat.customer ? 'without customer' : is_served ? 'counted' : 'queued';
  const record = newRecord(account, chat, beginning, now);
  if (state === 'queued') record.live!.wait_number = nextWaitNumber(account);
  const thread: ChatThread = { chat_id: chat.id, number: undefined, state, created: now, record };
  for (const each of [author, ...others]) join(thread, each, 'all', now);
  if (free !== undefined) assign(account, thread, free, now);
  saveChat(turn, chat);
  putProperties(turn, thread, author, beginning.properties);
  const event_ids = beginning.events.map((event) => say(turn, thread, event.author, event.said));
  if (!is_active) close(turn, thread, author);
  chat.state.seen[author.id] = now;
  saveChat(turn, chat);
  save(turn, thread);
  // Events are told after the chat that holds them.
  turn.changes = turn.changes.filter(({ action }) => action !== 'incoming_event');
  if (account.store.webhooks.isAsked('incoming_chat'))
    turn.changes.unshift(changeOf(turn, thread, 'incoming_chat', { chat: shownChat(account, chat, thread, now) }));
  return { thread, event_ids };
}

/** Gives the thread to the agent whom routing chose. */
export function assign(account: ServiceAccount, thread: ChatThread, login: string, now: number): void {
  join(thread, { id: login, type: 'agent', name: nameOfAgent(account, login) }, 'all', now, true);
  liveOf(thread, now).assigned_at = now;
}

/** A thread that begins inactive has its closing line, from which archives know its end. */
function close(turn: Turn, thread: ChatThread, { type, name }: Author): void {
  if (type === 'agent') note(turn, thread, 'manual_archived_agent', { agent: name });
  else note(turn, thread, 'manual_archived_customer', { customer: name }, 'visitor');
  thread.record.ended = turn.now;
  for (const member of thread.record.live!.members) member.present = false;
}

/** Threads that begin within one second stand in the order of their ids: one more comes after those before it. */
function threadId(account: ServiceAccount, chat: Chat, now: number): string {
  const id = newId();
  const last = latestKey(account, chat);
  return last?.created === now && isPlainChatId(last.id) && id < last.id ? idAfter(last.id) : id;
}

function newRecord(
  account: ServiceAccount,
  chat: Chat,
  { author, groups, page, client_id }: Beginning,
  now: number,
): ChatRecord {
  return {
    id: threadId(account, chat, now),
    visitor: visitorOf(account, chat),
    agents: [],
    supervisors: [],
    started: now,
    ended: openEnded,
    groups: [...new Set(groups)],
    engagement: author.type === 'agent' ? 'manual_invite' : 'immediate_start',
    greeting_id: null,
    chat_start_url: page.url,
    referrer: page.referrer,
    queue_seconds: null,
    events: [],
    ratings: [],
    tags: [],
    goals: [],
    prechat_survey: [],
    postchat_survey: [],
    custom_variables: variablesOf(chat.customer?.session_fields ?? []),
    integration_variables: [],
    live: {
      ...{ chat_id: chat.id, members: [], event_properties: {}, last_event: 0, active_at: now },
      ...(client_id !== undefined && { client_id }),
      properties: chat.state.is_continuous ? { routing: { continuous: true } } : {},
    },
  };
}

const nobody: VisitorRecord = {
  ...{
    id: '',
    name: '',
    email: '',
    ip: '',
    city: '',
    country: '',
    country_code: '',
    region: '',
    timezone: '',
    user_agent: '',
  },
};

/** The visitor as the last chat knew them, with what the customer told since. */
export function visitorOf({ store, now }: ServiceAccount, { customer }: Pick<Chat, 'customer'>): VisitorRecord {
  if (!customer) return nobody;
  const last = store.visitsOf(customer.visitor_id).findLast(({ started }) => started <= now());
  const number = last && store.live.numberOf(last.id);
  const had = number === undefined ? nobody : store.body(number).visitor;
  const { visitor_id, name, email, country, country_code, browser } = customer;
  return {
    ...had,
    id: visitor_id,
    ...{ name: name ?? had.name, email: email ?? had.email, country: had.country || country },
    country_code: had.country_code || country_code,
    ...(browser && { ip: browser.ip, user_agent: browser.user_agent }),
  };
}
