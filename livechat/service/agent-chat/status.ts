// Who accepts chats, in the Agent Chat Web API v3.5.
import type { AgentArgs } from '#contract/agent-chat.ts';
import type { ServiceAccount } from '../account.ts';
import { isAdministrator } from '../actions/action.ts';
import { agentNamed, hasScope } from '../live/members.ts';
import { renewAfter } from '../live/turn.ts';
import { members, presences } from '../presence.ts';
import { refuse } from '../refusals.ts';
import { writing, type AgentAction } from './action.ts';

type Status = AgentArgs<'set_routing_status'>['status'];
const spoken = {
  accepting_chats: 'accepting chats',
  not_accepting_chats: 'not accepting chats',
  offline: 'offline',
} as const;

export const setRoutingStatus = writing<'set_routing_status'>((turn, { account, caller, author, args, now }) => {
  const { status, agent_id = author.id } = args;
  const { id } = agentNamed(account, agent_id);
  const is_bot = account.store.bots.one(id) !== undefined;
  const kind = is_bot ? 'agents-bot' : 'agents';
  const may_others = hasScope(caller, `${kind}--all:rw`);
  if (!may_others && (id !== author.id || !hasScope(caller, `${kind}--my:rw`)))
    throw refuse.v3('authorization', `needs the scope ${kind}--all:rw`);
  if (id !== author.id && !is_bot && !isAdministrator({ account, caller }))
    throw refuse.v3('authorization', 'Only the owner and administrators may change the status of others');
  if (status === 'offline' && !is_bot) throw refuse.v3('validation', 'status: offline is for bots only');
  if (status !== statusOf(account, id)) {
    if (is_bot) account.store.bots.putStatus(id, status);
    else {
      account.store.putStatusChange({ agent: id, status: spoken[status], at: now, set_by: author.id });
      renewAfter(turn);
    }
    turn.changes.push({ action: 'routing_status_set', payload: { agent_id: id, status: spoken[status] } });
  }
  return {};
});

/** Bots have statuses of their own, which no report counts. */
const statusOf = (account: ServiceAccount, id: string): Status =>
  account.store.bots.status(id) ?? ((presences(account).get(id)?.replaceAll(' ', '_') ?? 'offline') as Status);

export const listRoutingStatuses: AgentAction<'list_routing_statuses'> = ({ account, args }) => {
  const groups = args.filters?.group_ids;
  const strange = groups?.find((id) => !account.staff.groups.some((group) => group.id === id));
  if (strange !== undefined) throw refuse.v3('validation', `filters.group_ids: there is no group ${strange}`);
  const logins = groups
    ? new Set(groups.flatMap((group) => members(account, group).map(({ login }) => login)))
    : new Set([...account.staff.agents.map(({ login }) => login), ...account.store.bots.all().map(({ id }) => id)]);
  return [...logins].map((agent_id) => ({ agent_id, status: statusOf(account, agent_id) }));
};
