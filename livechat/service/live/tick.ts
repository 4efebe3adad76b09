// What happens to chats by itself as the clock goes on: the queue moves, chats become idle and end, agents who are gone lose theirs.
import type { ServiceAccount } from '../account.ts';
import type { OpenThread } from '../chat-list-tables.ts';
import { assignmentRules, type AssignmentRules } from './assignment-rules.ts';
import { assign } from './begin.ts';
import { changeOf } from './change.ts';
import { end } from './end.ts';
import { presentAgents } from './members.ts';
import { departureOf, reassignUnanswered, replace, agentForUnanswered } from './replace.ts';
import { freeAgent, inTurn, isOnline, queued } from './routing.ts';
import { note } from './say.ts';
import { findChat, latestKey, liveOf, save, type ChatThread, type ThreadKey } from './threads.ts';
import type { UncountedThread } from '../live-tables.ts';
import { act, type Turn } from './turn.ts';

/** Minutes without an event after which a chat is idle, and after which it ends. */
export const inactivity = { idle: 20, archived: 60 } as const;
/** Minutes after which waiting in the queue ends. */
const longestWait = 60;

/** Brings all chats up to the clock. Cheap when nothing is due. What goes wrong with one chat holds up no other, and no request. */
export function createTick(account: ServiceAccount, onMistake: (error: unknown) => void): () => void {
  let last = -1;
  const safely = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      onMistake(error);
    }
  };
  const attend = (step: (turn: Turn) => void): void => safely(() => act(account, step));
  return () => {
    const now = account.now();
    if (now === last) return;
    last = now;
    safely(() => account.store.chatList.upTo(now));
    const rules = assignmentRules(account);
    for (const thread of inTurn(account))
      if (isDue(account, rules, thread, now)) attend((turn) => care(turn, rules, thread.number));
    for (const waiting of queued(account)) if (isNext(account, waiting, now)) attend((turn) => advance(turn, waiting));
  };
}

/** Whether `care` would change something, as far as can be told without reading the thread. */
function isDue(
  account: ServiceAccount,
  rules: AssignmentRules,
  { number, is_succeeded }: OpenThread,
  now: number,
): boolean {
  const { holders = [], groups = [], open } = account.chats.of(number) ?? {};
  // A thread that an older version wrote does not tell.
  if (is_succeeded || !open) return true;
  const next = open.active_at + 60 * (open.is_idle ? inactivity.archived : inactivity.idle);
  if (now >= next || (open.awaits_since !== undefined && freeAgent(account, groups) !== undefined)) return true;
  if (agentForUnanswered(account, rules, { ...open, holders, groups }, now)) return true;
  return holders.some((holder) => departureOf(account, groups, holder, open.routed.includes(holder)) !== undefined);
}

/** Whether `advance` would change something. */
const isNext = (account: ServiceAccount, { id, chat_id, created, record }: UncountedThread, now: number): boolean =>
  now >= created + longestWait * 60 ||
  !isOnline(account, record.groups) ||
  freeAgent(account, record.groups) !== undefined ||
  account.store.chatList.threadOf(chat_id) !== id;

/** The thread that the simulation has begun since: the customer came back by another way and left this one. */
function successorOf(account: ServiceAccount, { chat_id, record }: ChatThread): ThreadKey | undefined {
  const chat = findChat(account, chat_id);
  const last = chat?.customer && latestKey(account, chat);
  return last && last.id !== record.id ? last : undefined;
}

function endAbandoned(turn: Turn, thread: ChatThread): void {
  const customer = thread.record.visitor.name || 'Visitor';
  end(turn, thread, { type: 'archived_customer_disconnected', text_vars: { customer }, user_type: 'visitor' });
}

function advance(turn: Turn, { id, chat_id, created, record }: UncountedThread): void {
  const { account, now } = turn;
  const thread: ChatThread = { chat_id, number: undefined, state: 'queued', created, record };
  if (successorOf(account, thread)) {
    endAbandoned(turn, thread);
    return;
  }
  const free = freeAgent(account, record.groups);
  if (free !== undefined) {
    thread.state = 'counted';
    record.started = now;
    record.queue_seconds = now - created;
    assign(account, thread, free, now);
    liveOf(thread, now).active_at = now;
    save(turn, thread);
    const transferred_to = { group_ids: record.groups, agent_ids: [free] };
    turn.changes.push(
      changeOf(turn, thread, 'chat_transferred', { chat_id, thread_id: id, reason: 'queue', transferred_to }),
    );
    return;
  }
  const latest = created + longestWait * 60;
  if (now >= latest || !isOnline(account, record.groups))
    end({ ...turn, now: Math.min(now, latest) }, thread, { type: 'routing.archived_offline', text_vars: {} });
}

function care(turn: Turn, rules: AssignmentRules, number: number): void {
  const { account, now } = turn;
  const record = account.store.body(number);
  const live = record.live!;
  const thread: ChatThread = { chat_id: live.chat_id, number, state: 'counted', created: record.started, record };
  // What was due while nothing ran happens at the instant at which it was due.
  const archived = live.active_at + inactivity.archived * 60;
  const succeeded = successorOf(account, thread)?.created ?? Infinity;
  if (succeeded < archived) {
    endAbandoned({ ...turn, now: succeeded }, thread);
    return;
  }
  if (now >= archived) {
    end({ ...turn, now: archived }, thread, {
      type: 'routing.archived_inactive',
      text_vars: { duration: String(inactivity.archived) },
    });
    return;
  }
  const idle = live.active_at + inactivity.idle * 60;
  const is_newly_idle = now >= idle && !live.is_idle;
  if (is_newly_idle) {
    note({ ...turn, now: idle }, thread, 'routing.idle', { duration: String(inactivity.idle) });
    live.is_idle = true;
  }
  const departed = presentAgents(thread, now).flatMap(({ id, is_routed = false }) => {
    const reason = departureOf(account, record.groups, id, is_routed);
    return reason === undefined ? [] : [{ id, reason }];
  });
  for (const { id, reason } of departed) if (replace(turn, rules, thread, id, reason) === 'ended') return;
  const is_changed = departed.length > 0 || is_newly_idle || reassignUnanswered(turn, rules, thread);
  if (!serve(turn, thread) && !is_changed) return;
  save(turn, thread);
}

/** Gives a chat that waits for an agent since a transfer or since its agent went to a free one; false when there is none. */
function serve(turn: Turn, thread: ChatThread): boolean {
  const { account, now } = turn;
  const { record, chat_id } = thread;
  const free = record.live!.awaits_since === undefined ? undefined : freeAgent(account, record.groups);
  if (free === undefined) return false;
  assign(account, thread, free, now);
  const transferred_to = { group_ids: record.groups, agent_ids: [free] };
  const payload = { chat_id, thread_id: record.id, reason: 'queue', transferred_to };
  turn.changes.push(changeOf(turn, thread, 'chat_transferred', payload));
  return true;
}
