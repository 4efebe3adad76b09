// The parts of a chat that reports need, computed once when it is written: no texts, only instants, names and numbers.
import {
  openEnded,
  type ChatEvent,
  type ChatGoal,
  type ChatRecord,
  type LiveThread,
  type ThreadMember,
} from './records.ts';
import { readTurns, type AnsweredTurn } from './turns.ts';

export type LightGoal = Pick<ChatGoal, 'id' | 'at'> & {
  is_sale: boolean;
  /** Ten-thousandths of a unit of `currency`; 0 without a price or currency. */
  price: number;
  currency: string;
};

export interface OpenChat {
  /** Instant of the last message. */
  active_at: number;
  is_idle: boolean;
  /** Since when the chat waits for another agent. */
  awaits_since?: number;
  /** Who of those that wait since one second came first. */
  wait_number?: number;
  /** Since when the agent who has the chat owes its customer a reply. */
  unanswered_since?: number;
  /** Those of the holders whom routing chose. */
  routed: string[];
}

/** A chat in the service's memory; all of it has happened once the clock has passed `ended`. */
export interface LightChat {
  /** Key of the body in the store. */
  number: number;
  id: string;
  started: number;
  ended: number;
  agents: string[];
  /** Agents who have the chat now, of one that callers of the v3 APIs touched; of others the last of `agents` has it. */
  holders?: string[];
  /** Of a chat that nothing ends by itself: what the clock and the presence of agents may change about it. */
  open?: OpenChat;
  groups: number[];
  /** The client by which the chat began. */
  client_id?: string;
  /** Of the visitor; none of a chat that a version wrote which did not keep it. */
  country_code?: string;
  engagement: ChatRecord['engagement'];
  greeting: number | null;
  queue_seconds: number | null;
  ratings: { at: number; rate: ChatRecord['ratings'][number]['rate']; has_comment: boolean }[];
  tags: ChatRecord['tags'];
  goals: LightGoal[];
  is_replied: boolean;
  first: AnsweredTurn | null;
  turns: AnsweredTurn[];
}

/** Whether a chat matches. */
export type ChatPredicate = (chat: LightChat) => boolean;

export function lightOf(chat: ChatRecord, number: number): LightChat {
  return {
    number,
    id: chat.id,
    started: chat.started,
    ended: chat.ended,
    agents: chat.agents.map((agent) => agent.email),
    ...(chat.live && { holders: idsOf(holdersOf(chat.live.members)) }),
    ...(chat.live && chat.ended === openEnded && { open: openChat(chat.live, chat.events) }),
    groups: chat.groups,
    ...(chat.live?.client_id !== undefined && { client_id: chat.live.client_id }),
    country_code: chat.visitor.country_code,
    engagement: chat.engagement,
    greeting: chat.greeting_id,
    queue_seconds: chat.queue_seconds,
    ratings: byInstant(chat.ratings).map(({ at, rate, comment }) => ({ at, rate, has_comment: Boolean(comment) })),
    tags: byInstant(chat.tags),
    goals: chat.goals.map(lightGoal),
    ...readTurns(chat),
  };
}

const holdersOf = (members: readonly ThreadMember[]): ThreadMember[] =>
  members.filter(({ type, present, visibility }) => type === 'agent' && present && visibility === 'all');

const idsOf = (members: readonly ThreadMember[]): string[] => members.map(({ id }) => id);

function openChat(live: LiveThread, events: readonly ChatEvent[]): OpenChat {
  const { active_at, is_idle, awaits_since, wait_number, members } = live;
  const unanswered_since = unansweredSince(live, events);
  return {
    ...{ active_at, is_idle: is_idle === true },
    ...(awaits_since !== undefined && { awaits_since }),
    ...(wait_number !== undefined && { wait_number }),
    ...(unanswered_since !== undefined && { unanswered_since }),
    routed: idsOf(holdersOf(members).filter(({ is_routed }) => is_routed)),
  };
}

/** The customer's first line since an agent's last one, but not before the chat was given to its agent. */
export function unansweredSince({ assigned_at = 0 }: LiveThread, events: readonly ChatEvent[]): number | undefined {
  const answered = events.findLastIndex(({ type, user_type }) => type !== 'event' && user_type === 'agent');
  const asked = events.slice(answered + 1).find(({ type, user_type }) => type !== 'event' && user_type === 'visitor');
  return asked && Math.max(asked.at, assigned_at);
}

function lightGoal({ id, at, type, order }: ChatGoal): LightGoal {
  const price = Math.round(Number(order.price) * 10_000);
  const is_priced = price > 0 && order.currency !== '';
  return { id, at, is_sale: type === 'sales_tracker', price: is_priced ? price : 0, currency: order.currency };
}

function byInstant<T extends { at: number }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => a.at - b.at);
}

/** The rating at an instant: the last one given by then. */
export function rateAt(chat: LightChat, now: number): LightChat['ratings'][number]['rate'] {
  let rate: LightChat['ratings'][number]['rate'] = 'not_rated';
  for (const given of chat.ratings) if (given.at <= now) rate = given.rate;
  return rate;
}

/** Tags assigned by then, without duplicates. */
export function tagsAt(chat: LightChat, now: number): string[] {
  return [...new Set(chat.tags.filter((tag) => tag.at <= now).map((tag) => tag.tag))];
}
