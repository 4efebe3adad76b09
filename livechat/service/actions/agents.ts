// Creates, changes and removes agents, and renews their API keys.
import { randomBytes } from 'node:crypto';
import { ownProfile, restMethods } from '#contract/rest-v2.ts';
import { mayAsk } from '../callers.ts';
import { listsOf } from '../lists.ts';
import { putChat } from '../account.ts';
import { releaseChats } from '../live/removal.ts';
import { presences } from '../presence.ts';
import type { AgentRecord, LoginStatus } from '../records.ts';
import { refuse } from '../refusals.ts';
import { demandGroup, isAdministrator, named, type Action, type ActionRequest } from './action.ts';

type AgentWish = Partial<Omit<AgentRecord, 'permission' | 'api_key'>> & {
  permission?: 'administrator' | 'normal';
  /** Hashed. */
  password?: string;
  status?: LoginStatus | 'offline';
};

const standardAvatar = 'livechat.s3.amazonaws.com/default/avatars/45bcb5f592dbf5aac8f88dcfd6bc937c.png';
const newKey = (): string => randomBytes(16).toString('hex');

export const createAgent: Action = (asked) => {
  const { account, args } = asked;
  const { password, groups = [], notifications, ...wish } = args as AgentWish;
  const { login = '', name = '' } = wish;
  const { store } = account;
  if (store.staff.one('agents', login)) throw refuse.arguments(`login: there is an agent ${login} already`);
  for (const group of groups) demandGroup(account, 'groups', group);
  store.staff.put('agents', {
    ...{ login, name, permission: wish.permission ?? 'normal', avatar: standardAvatar },
    job_title: wish.job_title ?? 'Support Agent',
    login_status: wish.login_status ?? 'accepting chats',
    daily_summary: wish.daily_summary ?? 1,
    notifications: {
      ...{ new_visitor: 1, returning_visitor: 1, queued_visitor: 1, visitor_is_typing: 0, new_goal: 1 },
      ...shownSwitches(notifications),
    },
    max_chats_count: wish.max_chats_count ?? 6,
    groups: joined(groups),
    api_key: newKey(),
    ...(password !== undefined && { password }),
  });
  store.putReturnedAgent(login, account.now());
  return shown(asked, login);
};

export const updateAgent: Action = (asked) => {
  const { account, caller, name, args } = asked;
  const { store } = account;
  const had = named(store.staff.one('agents', name));
  const { groups, notifications, password, status, work_scheduler, ...wish } = args as AgentWish;
  demandMayChange(asked);
  if (wish.permission !== undefined && had.permission === 'owner')
    throw refuse.arguments('permission: the owner stays the owner');
  for (const group of groups ?? []) demandGroup(account, 'groups', group);
  const told = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
  store.staff.put('agents', {
    ...had,
    ...told,
    ...(groups && { groups: joined(groups) }),
    ...(notifications && { notifications: { ...had.notifications, ...shownSwitches(notifications) } }),
    ...(work_scheduler && { work_scheduler: { ...had.work_scheduler, ...work_scheduler } }),
    ...(password !== undefined && { password }),
  });
  const before = presences(account).get(name) ?? 'offline';
  if (status !== undefined && status !== before)
    store.putStatusChange({ agent: name, status, at: account.now(), set_by: caller.agent });
  return shown(asked, name);
};

/** The simulation gives the agent nothing more: chats that are open lose them, chats to come have colleagues. */
export const deleteAgent: Action = ({ account, name }) => {
  const { store } = account;
  const { permission, login } = named(store.staff.one('agents', name));
  if (permission === 'owner') throw refuse.arguments('login: the owner of the account cannot be removed');
  const released = releaseChats(account, login);
  store.staff.remove('agents', login);
  store.putRemovedAgent(login, account.now());
  return () => {
    for (const chat of released) putChat(account, chat);
    return { result: `${login} removed successfully` };
  };
};

export const resetApiKey: Action = (asked) => {
  const { account, name } = asked;
  const { staff } = account.store;
  const agent = named(staff.one('agents', name));
  if (agent.permission === 'owner')
    throw refuse.arguments("login: the owner's API key is that of the service's settings: change it there");
  staff.put('agents', { ...agent, api_key: newKey() });
  return shown(asked, name);
};

/**
 * The agent's own API key is returned only to callers who may read their profile: with the key, a token that may only change it would
 * gain full access.
 */
const shown = ({ account, caller }: ActionRequest, login: string) => {
  const asks = mayAsk(caller, restMethods.get_agent.scopes) ? caller.agent : '';
  return () => listsOf(account).agents.one?.(login, asks);
};

/** Group 0 holds everybody and is never listed. */
const joined = (groups: readonly number[]): number[] => [...new Set(groups)].filter(Boolean).sort((a, b) => a - b);

/** `incoming_chat` is accepted but never returned. */
function shownSwitches(notifications: AgentRecord['notifications'] = {}): AgentRecord['notifications'] {
  return Object.fromEntries(
    Object.entries(notifications).filter(([name, value]) => name !== 'incoming_chat' && value !== undefined),
  );
}

/** Agents who are not administrators may change only their own profile, and only the documented fields. */
function demandMayChange(asked: ActionRequest): void {
  if (isAdministrator(asked)) return;
  const other = Object.entries(asked.args).filter(([name, value]) => value !== undefined && !ownProfile.includes(name));
  if (other.length > 0) throw refuse.rights(`change ${other.map(([name]) => name).join(', ')}`);
}
