// Who is logged in and accepting chats at an instant: agents by their intervals, groups by their agents.
import type { ServiceAccount } from './account.ts';
import type { AgentRecord, LoginStatus } from './records.ts';

type Presence = LoginStatus | 'offline';

/** Status of each agent who is logged in; missing agents are offline. */
export const presences = ({ statuses, now }: ServiceAccount): ReadonlyMap<string, LoginStatus> => statuses.at(now());

/** Accepting when one of the group's agents is, not accepting when one is at least logged in. */
export function groupPresence(account: ServiceAccount, group: number): Presence {
  const present = presences(account);
  const statuses = members(account, group).map((agent) => present.get(agent.login));
  if (statuses.includes('accepting chats')) return 'accepting chats';
  return statuses.includes('not accepting chats') ? 'not accepting chats' : 'offline';
}

/** Group 0 always holds everybody. */
export function members(account: ServiceAccount, group: number): AgentRecord[] {
  return account.staff.agents.filter((agent) => group === 0 || agent.groups.includes(group));
}

/** When the agent last became offline, Unix seconds; 0 for never. An agent who was made again begins anew. */
export function lastLogout(account: ServiceAccount, login: string): number {
  const now = account.now();
  const since = account.removals.find((each) => each.login === login)?.back_at ?? -Infinity;
  const own = [...account.statuses.of(login)].filter(({ from }) => from >= since && from <= now);
  const begins = new Set(own.map((each) => each.from));
  return own.reduce((last, { to }) => (to <= now && !begins.has(to) ? Math.max(last, to) : last), 0);
}
