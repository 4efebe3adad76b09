// Who takes part in a thread and who may see a chat.
import type { ServiceAccount } from '../account.ts';
import { mayAsk, type ServiceCaller } from '../callers.ts';
import type { ThreadMember } from '../records.ts';
import { refuse } from '../refusals.ts';
import { seesAll, sightOf } from '../sight.ts';
import { userList } from '../user-list.ts';
import { latestShared, latestThread, liveOf, type Chat, type ChatThread } from './threads.ts';

/** Somebody who does something to a chat. */
export interface Author {
  /** Login of an agent, id of a bot, UUID of a customer. */
  id: string;
  type: 'agent' | 'customer';
  name: string;
}

/** The agent or bot on whose behalf the caller acts. */
export function authorOf(account: ServiceAccount, { agent, author_id = agent }: ServiceCaller): Author {
  return { id: author_id, type: 'agent', name: nameOfAgent(account, author_id) };
}

export const nameOfAgent = ({ staff, store }: ServiceAccount, id: string): string =>
  staff.agents.find(({ login }) => login === id)?.name ?? store.bots.one(id)?.name ?? id;

/** Groups that have access to a chat when nothing else is said. */
export const allAgents = [0];

/** Groups that have access to the chat. */
export const groupsOf = (account: ServiceAccount, chat: Chat): number[] =>
  chat.state.groups ?? latestShared(account, chat)?.record.groups ?? [0];

/** Throws missing_access unless the caller may see the chat: by its groups, or as somebody who is in it. */
export function demandAccess(account: ServiceAccount, caller: ServiceCaller, chat: Chat): void {
  // Of a chat without groups of its own the last thread is read for them.
  if (seesAll(caller) || sightOf(account, caller)(groupsOf(account, chat))) return;
  const last = latestThread(account, chat);
  const own = authorOf(account, caller).id;
  if (!last || !usersOf(last, account.now()).some(({ id }) => id === own)) throw refuse.v3('missing_access');
}

/** The user list of a thread as it is stored or would be. */
export const usersOf = ({ record }: ChatThread, now: number): ThreadMember[] => userList(record, now);

/** Throws authorization unless the author is in the thread. */
export function demandPresence(thread: ChatThread, author: Author, now: number): ThreadMember {
  const own = usersOf(thread, now).find(({ id, present }) => id === author.id && present);
  if (!own) throw refuse.v3('authorization', 'Requester is not user of the chat');
  return own;
}

/** Puts somebody on the user list, or back into the chat; the archive of v2.0 names agents, and apart from them those only agents see. */
export function join(
  thread: ChatThread,
  author: Author,
  visibility: 'all' | 'agents',
  now: number,
  is_routed = false,
): void {
  const live = liveOf(thread, now);
  if (author.type === 'agent' && visibility === 'all') {
    delete live.awaits_since;
    delete live.wait_number;
  }
  const others = live.members.filter(({ id }) => id !== author.id);
  live.members = [
    ...others,
    { id: author.id, type: author.type, visibility, present: true, ...(is_routed && { is_routed: true as const }) },
  ];
  if (author.type === 'customer') return;
  const list = visibility === 'all' ? thread.record.agents : thread.record.supervisors;
  if (!list.some(({ email }) => email === author.id)) list.push({ display_name: author.name, email: author.id });
}

/** Takes somebody out of the chat; they stay on the list as one who was there. */
export function leave(thread: ChatThread, id: string, now: number): void {
  const live = liveOf(thread, now);
  live.members = live.members.map((member) => (member.id === id ? absent(member) : member));
}

const absent = ({ is_routed: _, ...member }: ThreadMember): ThreadMember => ({ ...member, present: false });

/** Agents who are in the chat and whom the customer sees. */
export const presentAgents = (thread: ChatThread, now: number): ThreadMember[] =>
  usersOf(thread, now).filter(({ type, present, visibility }) => type === 'agent' && present && visibility === 'all');

/** Whether an event is shown to agents, or to customers. */
export const isVisible = ({ visibility }: { visibility?: 'all' | 'agents' | undefined }, to: Author['type']): boolean =>
  to === 'agent' || visibility !== 'agents';

/** Throws validation unless there is an agent or a bot of that id. */
export function agentNamed(account: ServiceAccount, id: string): Author {
  const is_known = account.staff.agents.some(({ login }) => login === id) || account.store.bots.one(id);
  if (!is_known) throw refuse.v3('validation', `there is no agent ${id}`);
  return { id, type: 'agent', name: nameOfAgent(account, id) };
}

/** Whether the token reaches beyond the caller's own groups or self. */
export const hasScope = (caller: ServiceCaller, scope: string): boolean => mayAsk(caller, [scope]);
