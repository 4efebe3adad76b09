// Agents who lose their chats: they are gone, or do not reply in time. Another one takes over, or the customer waits, or the chat ends.
import type { ServiceAccount } from '../account.ts';
import { lastLogout, members, presences } from '../presence.ts';
import { unansweredSince, type LightChat, type OpenChat } from '../light.ts';
import type { AssignmentRules } from './assignment-rules.ts';
import { assign } from './begin.ts';
import { changeOf } from './change.ts';
import { end } from './end.ts';
import { leave, nameOfAgent, presentAgents } from './members.ts';
import { awaitAgent, freeAgent, queueOf } from './routing.ts';
import { note } from './say.ts';
import type { ChatThread } from './threads.ts';
import type { Turn } from './turn.ts';

/** Why an agent has to go, as system messages and webhooks name it. */
type Departure = 'deleted' | 'signed_out' | 'remotely_signed_out' | 'other';

/** Why the agent cannot keep a chat of these groups; undefined of one who can. Whoever came by hand stays while there is such an agent. */
export function departureOf(
  account: ServiceAccount,
  groups: readonly number[],
  id: string,
  is_routed: boolean,
): Departure | undefined {
  if (!account.staff.agents.some(({ login }) => login === id))
    return account.store.bots.one(id) ? undefined : 'deleted';
  if (!is_routed) return undefined;
  if (!presences(account).has(id)) return isSignedOutByOther(account, id) ? 'remotely_signed_out' : 'signed_out';
  return groups.some((group) => members(account, group).some(({ login }) => login === id)) ? undefined : 'other';
}

/** Whether the agent went offline by what somebody else set, not by the end of the shift. */
function isSignedOutByOther(account: ServiceAccount, login: string): boolean {
  const last = account.changes.findLast(({ agent, at }) => agent === login && at <= account.now());
  const is_cause = last?.status === 'offline' && last.at === lastLogout(account, login);
  return is_cause && last.set_by !== null && last.set_by !== login;
}

type HeldChat = Pick<LightChat, 'groups'> & Pick<OpenChat, 'unanswered_since'> & { holders: readonly string[] };

/** Who takes a chat over whose only agent has not replied for as long as the rules allow; undefined as long as nobody has to, or can. */
export function agentForUnanswered(
  account: ServiceAccount,
  rules: AssignmentRules,
  { groups, holders, unanswered_since }: HeldChat,
  now: number,
): string | undefined {
  if (unanswered_since === undefined || holders.length !== 1) return undefined;
  const minutes = rules.reassignAfter(groups);
  if (minutes === undefined || now < unanswered_since + minutes * 60) return undefined;
  return freeAgent(account, groups, holders);
}

/** Gives the chat to another agent when its own does not reply in time; false when nothing is to be done. The caller saves it. */
export function reassignUnanswered(turn: Turn, rules: AssignmentRules, thread: ChatThread): boolean {
  const { account, now } = turn;
  const { groups, live, events } = thread.record;
  const holders = presentAgents(thread, now).map(({ id }) => id);
  const unanswered_since = unansweredSince(live!, events);
  const next = agentForUnanswered(
    account,
    rules,
    { groups, holders, ...(unanswered_since !== undefined && { unanswered_since }) },
    now,
  );
  if (next === undefined) return false;
  const [holder] = holders as [string];
  const text_vars = {
    ...{ agent_added: nameOfAgent(account, next), agent_removed: nameOfAgent(account, holder) },
    duration: String(rules.reassignAfter(groups)),
  };
  leave(thread, holder, now);
  assign(account, thread, next, now);
  note(turn, thread, 'routing.assigned_inactive', text_vars);
  tell(turn, thread, 'inactive', next);
  return true;
}

/** Another agent takes over; without one the chat stays with whoever is left, waits, or ends where nobody may wait. The caller saves one that goes on. */
export function replace(
  turn: Turn,
  rules: AssignmentRules,
  thread: ChatThread,
  id: string,
  reason: Departure,
): 'goes on' | 'ended' {
  const { account, now } = turn;
  const { record } = thread;
  // Of an agent who was removed the record has the name; the login is not for customers.
  const agent = record.agents.find(({ email }) => email === id)?.display_name ?? nameOfAgent(account, id);
  leave(thread, id, now);
  const is_held = presentAgents(thread, now).length > 0;
  const next = is_held ? undefined : freeAgent(account, record.groups, [id]);
  const words = reason === 'other' ? {} : { agent };
  if (next !== undefined) {
    assign(account, thread, next, now);
    const replaced = reason === 'other' ? {} : { agent_added: nameOfAgent(account, next), agent_removed: agent };
    note(turn, thread, `routing.assigned_${reason}`, replaced);
  } else if (!is_held && !rules.hasQueue(record.groups)) {
    end(turn, thread, { type: `routing.archived_${reason}`, text_vars: words });
    return 'ended';
  } else if (!is_held) {
    note(turn, thread, `routing.unassigned_${reason}`, words);
    awaitAgent(account, record.live!, now);
  }
  tell(turn, thread, reason, next);
  return 'goes on';
}

function tell(turn: Turn, thread: ChatThread, reason: string, next: string | undefined): void {
  const { chat_id, record } = thread;
  const transferred_to = { group_ids: record.groups, ...(next !== undefined && { agent_ids: [next] }) };
  const queue = queueOf(turn.account, thread);
  const payload = { chat_id, thread_id: record.id, reason, transferred_to, ...(queue && { queue }) };
  turn.changes.push(changeOf(turn, thread, 'chat_transferred', payload));
}
