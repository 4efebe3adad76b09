// Who takes part in a chat of the Agent Chat Web API v3.5: transfer, add, remove.
import type { ServiceAccount } from '../account.ts';
import { assignmentRules } from '../live/assignment-rules.ts';
import { assign, visitorOf } from '../live/begin.ts';
import { changeOf } from '../live/change.ts';
import { giveChat } from '../live/customers.ts';
import {
  agentNamed,
  demandAccess,
  demandPresence,
  groupsOf,
  join,
  leave,
  nameOfAgent,
  presentAgents,
  usersOf,
  type Author,
} from '../live/members.ts';
import { awaitAgent, freeAgent, loads, queueOf } from '../live/routing.ts';
import { note } from '../live/say.ts';
import { usersNow } from '../live/show.ts';
import { activeThread, chatNamed, liveOf, save, saveChat, type Chat, type ChatThread } from '../live/threads.ts';
import type { Turn } from '../live/turn.ts';
import { members, presences } from '../presence.ts';
import { refuse } from '../refusals.ts';
import { writing, type AgentAction } from './action.ts';
import { demandGroups } from './chats.ts';

export const transferChat = writing<'transfer_chat'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.id);
  demandAccess(account, caller, chat);
  const thread = activeThread(account, chat);
  if (!args.ignore_requester_presence) demandPresence(thread, author, now);
  const target = args.target ?? { type: 'group' as const, ids: groupsOf(account, chat) };
  if (target.type === 'agent') toAgent(turn, chat, thread, author, target.ids[0]!);
  else toGroups(turn, chat, thread, author, target.ids, args.ignore_agents_availability ?? false);
  return {};
});

function toAgent(turn: Turn, chat: Chat, thread: ChatThread, author: Author, login: string): void {
  const { account } = turn;
  const { id, name } = agentNamed(account, login);
  const groups = groupsOf(account, chat);
  const has_access =
    account.store.bots.one(id) || groups.some((group) => members(account, group).some((each) => each.login === id));
  if (!has_access) throw refuse.v3('missing_access', `${id} has no access to the chat`);
  if (!account.store.bots.one(id) && !presences(account).has(id)) throw refuse.v3('agent_offline');
  moveTo(turn, thread, id);
  finish(turn, thread, author, name, { agent_ids: [id] });
}

function toGroups(turn: Turn, chat: Chat, thread: ChatThread, author: Author, ids: number[], may_wait: boolean): void {
  const { account, now } = turn;
  demandGroups(account, ids);
  const before = presentAgents(thread, now).map(({ id }) => id);
  const free = freeAgent(account, ids, before);
  if (free === undefined && !(may_wait && assignmentRules(account).hasQueue(ids)))
    throw refuse.v3('agent_offline', 'no agent of the groups can be assigned at once');
  thread.record.groups = [...new Set(ids)];
  if (chat.state.groups) {
    chat.state.groups = thread.record.groups;
    saveChat(turn, chat);
  }
  const names = account.staff.groups.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  if (free !== undefined) moveTo(turn, thread, free);
  else {
    for (const id of before) leave(thread, id, now);
    if (thread.state !== 'queued') awaitAgent(account, liveOf(thread, now), now);
  }
  finish(turn, thread, author, names.join(', '), { group_ids: ids, ...(free !== undefined && { agent_ids: [free] }) });
}

/** Whoever had the chat leaves it; the customer stops waiting when there was nobody yet. */
function moveTo({ account, now }: Turn, thread: ChatThread, login: string): void {
  for (const { id } of presentAgents(thread, now)) if (id !== login) leave(thread, id, now);
  if (thread.state === 'queued') {
    thread.state = 'counted';
    thread.record.started = now;
    thread.record.queue_seconds = now - thread.created;
  }
  assign(account, thread, login, now);
}

function finish(
  turn: Turn,
  thread: ChatThread,
  author: Author,
  targets: string,
  transferred_to: { group_ids?: number[]; agent_ids?: string[] },
): void {
  const { account } = turn;
  const { chat_id, record } = thread;
  note(turn, thread, 'chat_transferred', { initiator: author.name, targets });
  record.live!.properties.routing = { ...record.live!.properties.routing, last_transfer_timestamp: turn.now };
  save(turn, thread);
  const queue = queueOf(account, thread);
  const payload = { chat_id, thread_id: record.id, requester_id: author.id, reason: 'manual', transferred_to };
  turn.changes.push(changeOf(turn, thread, 'chat_transferred', { ...payload, ...(queue && { queue }) }));
}

export const addUserToChat = writing<'add_user_to_chat'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const thread = activeThread(account, chat);
  if (!args.ignore_requester_presence) demandPresence(thread, author, now);
  if (args.user_type === 'customer') addCustomer(turn, chat, thread, author, args.user_id);
  else addAgent(turn, chat, thread, author, args.user_id, args.visibility);
  const user = usersNow(account, chat, thread, now).find(({ id }) => id === args.user_id);
  const payload = { chat_id: chat.id, thread_id: thread.record.id, user, reason: 'manual', requester_id: author.id };
  turn.changes.push(changeOf(turn, thread, 'user_added_to_chat', payload));
  return {};
});

function addAgent(
  turn: Turn,
  chat: Chat,
  thread: ChatThread,
  author: Author,
  id: string,
  visibility: 'all' | 'agents',
): void {
  const { account, now } = turn;
  const added = agentNamed(account, id);
  const groups = groupsOf(account, chat);
  if (!account.store.bots.one(id) && !groups.some((group) => members(account, group).some(({ login }) => login === id)))
    throw refuse.v3('missing_access', `${id} has no access to the chat`);
  if (usersOf(thread, now).some((user) => user.id === id && user.present))
    throw refuse.v3('validation', `${id} is in the chat`);
  const is_first = presentAgents(thread, now).length === 0;
  join(thread, added, visibility, now);
  if (!is_first && visibility === 'all') {
    if (id === author.id) note(turn, thread, 'agent_joined', { agent: added.name });
    else note(turn, thread, 'agent_added', { initiator: author.name, agent: added.name });
  }
  save(turn, thread);
}

/** The thread counts from then on. */
function addCustomer(turn: Turn, chat: Chat, thread: ChatThread, author: Author, id: string): void {
  const { account, now } = turn;
  if (chat.customer) throw refuse.v3('limit_reached', 'the chat has a customer');
  const customer = giveChat(turn, chat, id);
  thread.record.visitor = visitorOf(account, chat);
  thread.state = 'counted';
  join(thread, { id, type: 'customer', name: customer.name ?? '' }, 'all', now);
  note(turn, thread, 'customer_added', { initiator: author.name, customer: customer.name ?? id });
  save(turn, thread);
}

export const removeUserFromChat = writing<'remove_user_from_chat'>((turn, { account, caller, author, args, now }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const thread = activeThread(account, chat);
  if (!args.ignore_requester_presence) demandPresence(thread, author, now);
  const { user_id } = args;
  const own = usersOf(thread, now).find(({ id, type, present }) => id === user_id && type === 'agent' && present);
  if (!own) throw refuse.v3('validation', `${user_id} is no agent of the chat`);
  leave(thread, user_id, now);
  const agent = nameOfAgent(account, user_id);
  if (own.visibility === 'all') {
    if (user_id === author.id) note(turn, thread, 'agent_left', { agent });
    else note(turn, thread, 'agent_removed', { initiator: author.name, agent });
  }
  save(turn, thread);
  const payload = { chat_id: chat.id, thread_id: thread.record.id, user_id, reason: 'manual', requester_id: author.id };
  turn.changes.push(changeOf(turn, thread, 'user_removed_from_chat', payload));
  return {};
});

/** Online and not accepting chats, as the documents have it; whoever has the fewest chats first. */
export const listAgentsForTransfer: AgentAction<'list_agents_for_transfer'> = ({ account, caller, args }) => {
  const chat = chatNamed(account, args.chat_id);
  demandAccess(account, caller, chat);
  const load = loads(account);
  return membersOfAny(account, groupsOf(account, chat))
    .filter((login) => presences(account).get(login) === 'not accepting chats')
    .map((agent_id) => ({ agent_id, total_active_chats: load.get(agent_id) ?? 0 }))
    .sort((a, b) => a.total_active_chats - b.total_active_chats);
};

const membersOfAny = (account: ServiceAccount, groups: readonly number[]): string[] => [
  ...new Set(groups.flatMap((group) => members(account, group).map(({ login }) => login))),
];
