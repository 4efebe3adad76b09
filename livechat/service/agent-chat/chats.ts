// Chats of the Agent Chat Web API v3.5: lists, one chat, start, resume, deactivate, follow.
import { z } from 'zod';
import { propertiesFilter } from '#contract/list-archives.ts';
import type { AgentEvent } from '#contract/events-v3.ts';
import type { PropertyValues } from '#contract/properties.ts';
import type { ServiceAccount } from '../account.ts';
import type { ListedChat } from '../chat-list-tables.ts';
import { ofGroups, ofKinds } from './chat-list.ts';
import { begin, hasActiveThread, NobodyAvailable, type Beginning } from '../live/begin.ts';
import { customerNamed, giveChat, isBanned } from '../live/customers.ts';
import { end } from '../live/end.ts';
import { pageOfThreads } from '../live/list-threads.ts';
import { agentNamed, allAgents, demandAccess, demandPresence, type Author } from '../live/members.ts';
import { demandValues, withValues } from '../live/properties.ts';
import { newId } from '../live/say.ts';
import { shownChat, shownSummary, shownThreadNow } from '../live/show.ts';
import {
  activeThread,
  chatNamed,
  findChat,
  isActive,
  latestShared,
  latestThread,
  newChatState,
  saveChat,
  threadNamed,
  type Chat,
} from '../live/threads.ts';
import type { Turn } from '../live/turn.ts';
import { pageIds, readPage, type ItemKey, type Order } from '../pages.ts';
import { refuse } from '../refusals.ts';
import { sightOf } from '../sight.ts';
import { secondOf } from '../names.ts';
import { writing, type AgentAction } from './action.ts';

const order = z.enum(['asc', 'desc']);
const firstChats = z.object({
  include_active: z.boolean(),
  include_chats_without_threads: z.boolean(),
  group_ids: z.array(z.int()).optional(),
  properties: propertiesFilter.optional(),
  order,
  limit: z.int().min(1).max(100),
});
const chatPages = pageIds('chats', firstChats);

export const listChats: AgentAction<'list_chats'> = ({ account, caller, author, args, now }) => {
  const { filters = {}, sort_order = 'desc', limit = 10 } = args;
  const { include_active = true, include_chats_without_threads = true, group_ids, properties } = filters;
  const { first, ...page } = chatPages.read(
    args.page_id,
    { include_active, include_chats_without_threads, group_ids, properties, order: sort_order, limit },
    now,
  );
  const { chatList } = account.store;
  chatList.upTo(now);
  return account.store.reading(() => {
    const sees = sightOf(account, caller);
    const is_asked = (own: readonly number[]): boolean =>
      sees(own) && (!first.group_ids || own.some((group) => first.group_ids!.includes(group)));
    const list = first.properties ? ofKinds(chatList, is_asked, first.properties) : ofGroups(chatList, is_asked);
    const ended_by = first.include_active ? undefined : now;
    const read = (order: Order, beyond: ItemKey | undefined, count: number): ListedChat[] =>
      list.read({ order, beyond, count, ended_by });
    const keyOf = ({ latest, id }: ListedChat): ItemKey => [latest, id];
    const { items, next, previous } = readPage(read, keyOf, { ...first, ...page });
    return {
      chats_summary: items.map(({ id }) => {
        const chat = chatNamed(account, id);
        return shownSummary(account, chat, latestShared(account, chat), now, author.id);
      }),
      found_chats: list.count() - (first.include_active ? 0 : list.count(now)),
      ...(next && { next_page_id: chatPages.write(first, next, false, now) }),
      ...(previous && { previous_page_id: chatPages.write(first, previous, true, now) }),
    };
  });
};

export const listThreads: AgentAction<'list_threads'> = ({ account, caller, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const { filters = {}, sort_order = 'desc', limit = 3 } = args;
  const from = filters.from === undefined ? undefined : secondOf(filters.from);
  const to = filters.to === undefined ? undefined : secondOf(filters.to);
  const { keys, ...page } = pageOfThreads(account, chat, args, { from, to, order: sort_order, limit }, now);
  return {
    threads: keys.map(({ id }) => shownThreadNow(account, chat, threadNamed(account, chat, id), now)),
    ...page,
  };
};

export const getChat: AgentAction<'get_chat'> = ({ account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const thread =
    args.thread_id === undefined ? latestShared(account, chat) : threadNamed(account, chat, args.thread_id);
  return shownChat(account, chat, thread, now, author.id);
};

type Started = Parameters<AgentAction<'start_chat'>>[0]['args'];
type StartedChat = NonNullable<Started['chat']>;

export const startChat = writing<'start_chat'>((turn, { caller, author, args }) => {
  const { account } = turn;
  const { users = [] } = args.chat ?? {};
  const named = users.find(({ type }) => type === 'customer');
  const customer = named && customerNamed(account, named.id);
  if (customer && findChat(account, customer.chat_id))
    throw refuse.v3('limit_reached', 'the customer has a chat already: resume it');
  const id = customer?.chat_id ?? newId();
  const chat: Chat = { id, customer, state: newChatState(id, customer?.visitor_id ?? null) };
  const usual = [groupOf(account, author.id)];
  const { thread, event_ids } = beginByAgent(turn, chat, author, args.chat ?? {}, {
    ...{ ...args, usual, client_id: caller.client_id },
  });
  return { chat_id: id, thread_id: thread.record.id, ...(event_ids.length > 0 && { event_ids }) };
});

export const resumeChat = writing<'resume_chat'>((turn, { caller, author, args }) => {
  const chat = chatNamed(turn.account, args.chat.id);
  demandAccess(turn.account, caller, chat);
  if (hasActiveThread(turn.account, chat)) throw refuse.v3('validation', 'the chat has an active thread');
  const named = args.chat.users?.find(({ type }) => type === 'customer');
  if (named && !chat.customer) giveChat(turn, chat, named.id);
  const { thread, event_ids } = beginByAgent(turn, chat, author, args.chat, {
    ...{ ...args, usual: allAgents, client_id: caller.client_id },
  });
  return { thread_id: thread.record.id, ...(event_ids.length > 0 && { event_ids }) };
});

interface Mode extends Pick<Started, 'active' | 'continuous'> {
  /** Groups that have access unless the caller says so. */
  usual: number[];
  client_id: string | undefined;
}

function beginByAgent(
  turn: Turn,
  chat: Chat,
  author: Author,
  { users = [], access, properties, thread = {} }: StartedChat,
  { active = true, continuous, usual, client_id }: Mode,
) {
  const { account, now } = turn;
  const { customer } = chat;
  if (customer && isBanned(customer, now)) throw refuse.v3('authorization', 'the customer is banned');
  const others = users.flatMap(({ id, type }): Author[] => {
    if (type === 'agent') return id === author.id ? [] : [agentNamed(account, id)];
    if (id !== customer?.id) throw refuse.v3('limit_reached', 'the chat has another customer');
    return [];
  });
  const known = customer ? [{ id: customer.id, type: 'customer' as const, name: customer.name ?? '' }] : [];
  const all = [author, ...known, ...others];
  putChatProperties(chat, properties);
  const groups = access?.group_ids ?? usual;
  demandGroups(account, groups);
  if (access || chat.state.groups) chat.state.groups = groups;
  const beginning: Beginning = {
    ...{ author, groups, is_active: active, is_continuous: continuous, client_id },
    others: [...known, ...others],
    events: (thread.events ?? []).map((event) => said(event, author, all)),
    properties: thread.properties ?? {},
    page: { url: '', referrer: null },
  };
  try {
    return begin(turn, chat, beginning);
  } catch (error) {
    if (error instanceof NobodyAvailable) throw refuse.v3('agent_offline');
    throw error;
  }
}

function putChatProperties({ state }: Chat, properties: PropertyValues = {}): void {
  demandValues(properties, 'chat', 'agent');
  state.properties = withValues(state.properties, properties, 'agent');
}

/** An initial event; whoever is its author has to be in the chat, and everybody sees it. */
function said(
  { author_id, ...event }: AgentEvent,
  author: Author,
  users: readonly Author[],
): Beginning['events'][number] {
  const own = users.find(({ id }) => id === (author_id ?? author.id));
  if (!own) throw refuse.v3('validation', `chat.thread.events: ${author_id ?? ''} is not among chat.users`);
  demandValues(event.properties ?? {}, 'event', own.type);
  return { author: own, said: { ...event, visibility: 'all' } };
}

/** The first group of the agent; group 0 is everybody's. */
const groupOf = ({ staff }: ServiceAccount, login: string): number =>
  staff.agents.find((agent) => agent.login === login)?.groups[0] ?? 0;

export function demandGroups({ staff }: ServiceAccount, ids: readonly number[]): void {
  const strange = ids.find((id) => !staff.groups.some((group) => group.id === id));
  if (strange !== undefined) throw refuse.v3('validation', `there is no group ${strange}`);
}

export const deactivateChat = writing<'deactivate_chat'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.id);
  demandAccess(account, caller, chat);
  const thread = activeThread(account, chat);
  if (!args.ignore_requester_presence) demandPresence(thread, author, now);
  end(turn, thread, { type: 'manual_archived_agent', text_vars: { agent: author.name }, user_id: author.id });
  return {};
});

export const followChat = writing<'follow_chat'>((turn, { account, caller, author, args }) => {
  const chat = chatNamed(account, args.id);
  demandAccess(account, caller, chat);
  chat.state.followers = [...new Set([...chat.state.followers, author.id])];
  saveChat(turn, chat);
  return {};
});

export const unfollowChat = writing<'unfollow_chat'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.id);
  demandAccess(account, caller, chat);
  const last = latestThread(account, chat);
  const is_member = last?.record.live?.members.some(({ id, present }) => id === author.id && present) ?? false;
  if (last && is_member && isActive(last, now)) throw refuse.v3('validation', 'members of a chat cannot unfollow it');
  chat.state.followers = chat.state.followers.filter((id) => id !== author.id);
  saveChat(turn, chat);
  return {};
});
