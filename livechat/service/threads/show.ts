// One v3.5 chat with one of its threads, as of an instant. A v2 chat is a thread here.
import type { PropertyOwner } from '#contract/properties.ts';
import type { Thread, ThreadedChat, ThreadUser } from '#contract/threads.ts';
import type { ServiceAccount } from '../account.ts';
import type { ChatState, CustomerRecord } from '../live-tables.ts';
import type { ChatRecord, ThreadMember } from '../records.ts';
import { shownEvents } from './events.ts';
import { chatIdOf, customerId, momentOf } from '../names.ts';
import { userList } from '../user-list.ts';
import { merged, propertiesOf, readable, sourceOf } from './properties.ts';

/** Whether who asks may see the thread of that id. */
type Sees = (thread_id: string) => boolean;

/** A thread of the archive, with its chat; `follower` is who asks. */
export function shownThread(
  account: ServiceAccount,
  chat: ChatRecord,
  now: number,
  sees: Sees,
  follower?: string,
): ThreadedChat {
  const visits = account.store.visitsOf(chat.visitor.id).filter(({ ended }) => ended <= now);
  const id = chat.live?.chat_id ?? chatIdOf(chat.visitor.id);
  const state = account.store.live.chatState(id);
  const users = usersOf(account, chat, visits, now);
  const access = { group_ids: chat.groups };
  return {
    id,
    users,
    thread: { ...threadForAgents(threadOf(chat, now, users)), ...neighbours(chat, visits, sees) },
    ...chatForAgents(chatFields(chat, state)),
    access: state?.groups ? { group_ids: state.groups } : access,
    is_followed: follower !== undefined && (state?.followers.includes(follower) ?? false),
  };
}

type WithProperties = Partial<Pick<Thread, 'properties'>>;

const forAgents = <T extends WithProperties>(shown: T, owner: PropertyOwner): T =>
  shown.properties ? { ...shown, properties: readable(shown.properties, owner, 'agent') } : shown;

/** Without the properties of a chat that agents may not read. */
export const chatForAgents = <T extends WithProperties>(chat: T): T => forAgents(chat, 'chat');

/** Without the properties of a thread that agents may not read; those of its events they may read all. */
export const threadForAgents = <T extends WithProperties>(thread: T): T => forAgents(thread, 'thread');

/** A thread by itself; `created` is when it began for who asks. */
export function threadOf(
  chat: ChatRecord,
  now: number,
  users: readonly { id: string }[],
  created = chat.started,
): Thread {
  const { id, active, user_ids, ...rest } = threadSummary(chat, now, users, created);
  return { id, active, user_ids, events: shownEvents(chat, now), ...rest };
}

/** The same without its events. */
export function threadSummary(
  chat: ChatRecord,
  now: number,
  users: readonly { id: string }[],
  created: number,
): Omit<Thread, 'events'> {
  const tags = [
    ...new Set([...chat.tags].sort((a, b) => a.at - b.at).flatMap(({ at, tag }) => (at <= now ? tag : []))),
  ];
  return {
    id: chat.id,
    active: created <= now && now < chat.ended,
    user_ids: users.map(({ id }) => id),
    properties: propertiesOf(chat, now),
    access: { group_ids: chat.groups },
    ...(tags.length > 0 && { tags }),
    ...(chat.queue_seconds !== null && { queues_duration: chat.queue_seconds }),
    created_at: momentOf(created),
  };
}

type Began = Parameters<typeof sourceOf>[0];
type OwnProperties = Pick<ChatState, 'is_continuous' | 'properties'>;

/** The chat's own properties. */
function chatFields(chat: Began, state: OwnProperties | undefined): Pick<ThreadedChat, 'properties'> {
  const derived = { routing: { continuous: state?.is_continuous ?? false }, source: sourceOf(chat) };
  return { properties: merged<string | number | boolean | null>(derived, state?.properties ?? {}) };
}

export const chatProperties = (chat: Began, state: OwnProperties): NonNullable<ThreadedChat['properties']> =>
  chatFields(chat, state).properties!;

type Visits = ReturnType<ServiceAccount['store']['visitsOf']>;

export const visitsUntil = ({ store }: ServiceAccount, visitor_id: string, now: number): Visits =>
  store.visitsOf(visitor_id).filter(({ started }) => started <= now);

/** The threads of the same chat before and after this one, and the nearest of them that may be seen. */
export function neighbours({ id }: ChatRecord, visits: Visits, sees: Sees): Partial<Thread> {
  const place = visits.findIndex((visit) => visit.id === id);
  const before = visits.slice(0, Math.max(0, place)).reverse();
  const after = visits.slice(place + 1);
  const seen = (list: Visits): string | undefined => list.find((visit) => sees(visit.id))?.id;
  const named = {
    previous_thread_id: before[0]?.id,
    next_thread_id: after[0]?.id,
    previous_accessible_thread_id: seen(before),
    next_accessible_thread_id: seen(after),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** The customer, the agents in the order in which they joined, then those who only looked in; nobody twice. */
export function usersOf(account: ServiceAccount, chat: ChatRecord, visits: Visits, now: number): ThreadUser[] {
  const { live } = chat;
  const present = new Map(userList(chat, now).map((member) => [member.id, member]));
  const own = customerId(chat.visitor.id);
  // A thread of agents among themselves has no customer.
  const customer = live && !present.has(own) ? [] : [customerUser(account, chat, visits, now, present.get(own))];
  return [...customer, ...agentUsers(account, chat, present)];
}

function customerUser(
  account: ServiceAccount,
  chat: ChatRecord,
  visits: Visits,
  now: number,
  member?: ThreadMember,
): ThreadUser {
  const { id, name, email, ip, user_agent, country, country_code, region, city, timezone } = chat.visitor;
  const known: Partial<CustomerRecord> = account.store.live.customerByVisitor(id) ?? {};
  const fields = chat.custom_variables.map(({ key, value }) => ({ [key]: value }));
  return {
    id: customerId(id),
    type: 'customer',
    ...(name && { name }),
    ...(email && { email }),
    ...(known.avatar && { avatar: known.avatar }),
    present: member?.present ?? false,
    created_at: momentOf(visits[0]?.started ?? known.created ?? chat.started),
    ...(fields.length > 0 && { session_fields: fields }),
    statistics: { chats_count: 1, threads_count: visits.length },
    last_visit: {
      started_at: momentOf(chat.started),
      ...(chat.ended <= now && { ended_at: momentOf(chat.ended) }),
      ...(chat.referrer !== null && { referrer: chat.referrer }),
      ip,
      user_agent,
      geolocation: { country, country_code, region, city, timezone },
      last_pages: [{ opened_at: momentOf(chat.started), url: chat.chat_start_url }],
    },
  };
}

function agentUsers(
  { staff }: ServiceAccount,
  { agents, supervisors }: ChatRecord,
  members: Map<string, ThreadMember>,
): ThreadUser[] {
  const avatars = new Map(staff.agents.map(({ login, avatar }) => [login, avatar]));
  const shown = (visibility: 'all' | 'agents') => (agent: ChatRecord['agents'][number]) => ({
    id: agent.email,
    name: agent.display_name,
    email: agent.email,
    type: 'agent' as const,
    present: members.get(agent.email)?.present ?? false,
    ...(avatars.has(agent.email) && { avatar: avatars.get(agent.email)! }),
    visibility: members.get(agent.email)?.visibility ?? visibility,
  });
  const all = [...agents.map(shown('all')), ...supervisors.map(shown('agents'))];
  return all.filter((agent, place) => all.findIndex(({ id }) => id === agent.id) === place);
}
