// One v3.5 chat with one of its threads, as of an instant. A v2 chat is a thread here.
import type { ThreadedChat, Thread, ThreadUser } from '#contract/threads.ts';
import type { ServiceAccount } from '../account.ts';
import type { ChatRecord } from '../records.ts';
import { readTurns } from '../turns.ts';
import { shownEvents } from './events.ts';
import { chatIdOf, customerId, momentOf } from './names.ts';

type Properties = NonNullable<Thread['properties']>;

/** Whether who asks may see the thread of that id. */
type Sees = (thread_id: string) => boolean;

export function shownThread(account: ServiceAccount, chat: ChatRecord, now: number, sees: Sees): ThreadedChat {
  const visits = account.store.visitsOf(chat.visitor.id).filter(({ ended }) => ended <= now);
  const users = [customerOf(chat, visits), ...agentsOf(account, chat)];
  const access = { group_ids: chat.groups };
  const tags = [
    ...new Set([...chat.tags].sort((a, b) => a.at - b.at).flatMap(({ at, tag }) => (at <= now ? tag : []))),
  ];
  return {
    id: chatIdOf(chat.visitor.id),
    users,
    thread: {
      id: chat.id,
      active: false,
      user_ids: users.map(({ id }) => id),
      events: shownEvents(chat, now),
      properties: propertiesOf(chat, now),
      access,
      ...(tags.length > 0 && { tags }),
      ...(chat.queue_seconds !== null && { queues_duration: chat.queue_seconds }),
      created_at: momentOf(chat.started),
      ...neighbours(chat, visits, sees),
    },
    properties: { routing: { continuous: false }, source: sourceOf(chat) },
    access,
    is_followed: false,
  };
}

type Visits = ReturnType<ServiceAccount['store']['visitsOf']>;

/** The threads of the same chat before and after this one, and the nearest of them that may be seen. */
function neighbours({ id }: ChatRecord, visits: Visits, sees: Sees): Partial<Thread> {
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

function customerOf(chat: ChatRecord, visits: Visits): ThreadUser {
  const { id, name, email, ip, user_agent, country, country_code, region, city, timezone } = chat.visitor;
  return {
    id: customerId(id),
    type: 'customer',
    ...(name && { name }),
    ...(email && { email }),
    present: false,
    created_at: momentOf(visits[0]?.started ?? chat.started),
    ...(chat.custom_variables.length > 0 && {
      session_fields: chat.custom_variables.map(({ key, value }) => ({ [key]: value })),
    }),
    statistics: { chats_count: 1, threads_count: visits.length },
    last_visit: {
      started_at: momentOf(chat.started),
      ended_at: momentOf(chat.ended),
      ...(chat.referrer !== null && { referrer: chat.referrer }),
      ip,
      user_agent,
      geolocation: { country, country_code, region, city, timezone },
      last_pages: [{ opened_at: momentOf(chat.started), url: chat.chat_start_url }],
    },
  };
}

/** Agents in the order in which they joined, then those who only looked in; nobody twice. */
function agentsOf({ staff }: ServiceAccount, { agents, supervisors }: ChatRecord): ThreadUser[] {
  const avatars = new Map(staff.agents.map(({ login, avatar }) => [login, avatar]));
  const shown = (visibility: 'all' | 'agents') => (agent: ChatRecord['agents'][number]) => ({
    id: agent.email,
    name: agent.display_name,
    email: agent.email,
    type: 'agent' as const,
    present: false,
    ...(avatars.has(agent.email) && { avatar: avatars.get(agent.email)! }),
    visibility,
  });
  const all = [...agents.map(shown('all')), ...supervisors.map(shown('agents'))];
  return all.filter((agent, place) => all.findIndex(({ id }) => id === agent.id) === place);
}

export function propertiesOf(chat: ChatRecord, now: number): Properties {
  const { rate, comment } = [...chat.ratings].sort((a, b) => a.at - b.at).findLast(({ at }) => at <= now) ?? {};
  const score = rate === 'rated_good' ? 1 : rate === 'rated_bad' ? 0 : undefined;
  return {
    routing: {
      continuous: false,
      idle: false,
      unassigned: chat.agents.length === 0,
      unreplied: !readTurns(chat).is_replied,
      start_url: chat.chat_start_url,
      ...(chat.referrer !== null && { referrer: chat.referrer }),
    },
    ...(score !== undefined && { rating: { score, ...(comment && { comment }) } }),
    ...(chat.greeting_id !== null && { lc2: { greeting_id: chat.greeting_id } }),
    source: sourceOf(chat),
  };
}

const widget = 'customer-widget';
/** The two differ when an agent began the chat. */
const sourceOf = ({ engagement }: ChatRecord) => ({
  client_id: engagement === 'manual_invite' ? 'agent-application' : widget,
  customer_client_id: widget,
});
