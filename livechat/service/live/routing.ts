// Which agent gets a chat, and who waits in the queue: the accepting agent of the groups with the fewest chats, below their limit.
import type { ServiceAccount } from '../account.ts';
import { members, presences } from '../presence.ts';
import { assignmentRules } from './assignment-rules.ts';
import { momentOf } from '../names.ts';
import type { LightChat } from '../light.ts';
import type { OpenThread } from '../chat-list-tables.ts';
import type { UncountedThread } from '../live-tables.ts';
import type { LiveThread } from '../records.ts';
import type { ChatThread } from './threads.ts';

/** The chats that go on at this moment. */
function* openChats({ chats, now }: ServiceAccount): Generator<LightChat> {
  const instant = now();
  for (let place = chats.firstReaching(instant + 1); place < chats.length; place++) {
    if (chats.startedAt(place) > instant) return;
    if (chats.endedAt(place) > instant) yield chats.at(place);
  }
}

/** How many chats each agent has at this moment. */
export function loads(account: ServiceAccount): Map<string, number> {
  const found = new Map<string, number>();
  for (const { agents, holders = agents.slice(-1) } of openChats(account))
    for (const agent of holders) found.set(agent, (found.get(agent) ?? 0) + 1);
  return found;
}

/** Logins of the agents of these groups who are accepting chats, in the order of the account. */
export function accepting(account: ServiceAccount, groups: readonly number[]): string[] {
  const present = presences(account);
  const own = new Set(groups.flatMap((group) => members(account, group).map(({ login }) => login)));
  return [...own].filter((login) => present.get(login) === 'accepting chats');
}

/** Whether somebody of these groups is there, on a break or not. */
export function isOnline(account: ServiceAccount, groups: readonly number[]): boolean {
  const present = presences(account);
  return groups.some((group) => members(account, group).some(({ login }) => present.has(login)));
}

/** The agent whom routing gives a chat of these groups, or undefined when all are busy or none accepts. */
export function freeAgent(
  account: ServiceAccount,
  groups: readonly number[],
  except: readonly string[] = [],
): string | undefined {
  const load = loads(account);
  const loadOf = (login: string): number => load.get(login) ?? 0;
  const most = new Map(account.staff.agents.map(({ login, max_chats_count }) => [login, max_chats_count]));
  return accepting(account, groups)
    .filter((login) => !except.includes(login) && loadOf(login) < (most.get(login) ?? 0))
    .sort((a, b) => loadOf(a) - loadOf(b))[0];
}

/** Whether customers may wait for these groups: somebody accepts chats, and the queue is on. */
export const mayWait = (account: ServiceAccount, groups: readonly number[]): boolean =>
  accepting(account, groups).length > 0 && assignmentRules(account).hasQueue(groups);

/** A thread whose customer waits. */
interface Waiting {
  id: string;
  groups: readonly number[];
  /** Unix seconds. */
  since: number;
  /** Those of one second came in its order. */
  number: number;
  /** It had an agent, who transferred it or went: it goes before those that had none. */
  had_agent: boolean;
}

/** Two wait in one queue when they wait for the same groups. */
const queueName = (groups: readonly number[]): string => [...groups].sort().join();

type Place = Pick<Waiting, 'id' | 'since' | 'number'>;

const byPlace = (a: Place, b: Place): number => a.since - b.since || a.number - b.number || (a.id < b.id ? -1 : 1);

const isBefore = (a: Waiting, b: Waiting): boolean => (a.had_agent === b.had_agent ? byPlace(a, b) < 0 : a.had_agent);

function waitOf({ state, created, record: { id, groups, live } }: ChatThread | UncountedThread): Waiting | undefined {
  const number = live?.wait_number ?? 0;
  if (state === 'queued') return { id, groups, since: created, number, had_agent: false };
  const since = state === 'counted' ? live?.awaits_since : undefined;
  return since === undefined ? undefined : { id, groups, since, number, had_agent: true };
}

/** Open threads in the order in which the clock attends to them: those that wait for another agent at last, and by how long they do. */
export function inTurn({ store, chats }: ServiceAccount): OpenThread[] {
  const placeOf = ({ id, number }: OpenThread): Place => {
    const { awaits_since = 0, wait_number = 0 } = chats.of(number)?.open ?? {};
    return { id, since: awaits_since, number: wait_number };
  };
  return store.chatList.open().sort((a, b) => byPlace(placeOf(a), placeOf(b)));
}

function allWaiting(account: ServiceAccount): Waiting[] {
  const all = queued(account).flatMap((thread) => waitOf(thread) ?? []);
  for (const { id, groups, open } of openChats(account))
    if (open?.awaits_since !== undefined)
      all.push({ id, groups, since: open.awaits_since, number: open.wait_number ?? 0, had_agent: true });
  return all;
}

/** Everybody who waits for these groups. */
const queueFor = (account: ServiceAccount, groups: readonly number[]): Waiting[] =>
  allWaiting(account).filter((each) => queueName(each.groups) === queueName(groups));

/** The number of the one who begins to wait now. */
export const nextWaitNumber = (account: ServiceAccount): number =>
  Math.max(0, ...allWaiting(account).map(({ number }) => number)) + 1;

/** From now on the chat waits for another agent. */
export function awaitAgent(account: ServiceAccount, live: LiveThread, now: number): void {
  live.awaits_since = now;
  live.wait_number = nextWaitNumber(account);
}

/** Whether somebody waits for these groups already, so that a newcomer is not next. */
export const hasQueue = (account: ServiceAccount, groups: readonly number[]): boolean =>
  queueFor(account, groups).length > 0;

/** In the order in which they came. */
export const queued = ({ store }: ServiceAccount): UncountedThread[] =>
  store.live.uncountedByState('queued').sort((a, b) => byPlace(waitOf(a)!, waitOf(b)!));

/** Seconds that the last chats of an account waited, for the estimate. */
const remembered = 20;

function lastWaits({ chats, now }: ServiceAccount): number[] {
  const instant = now();
  const found: number[] = [];
  for (let place = chats.length - 1; place >= 0 && found.length < remembered; place--) {
    if (chats.startedAt(place) > instant) continue;
    const { queue_seconds } = chats.at(place);
    if (queue_seconds !== null) found.push(queue_seconds);
  }
  return found;
}

/** The place of a waiting thread from 1, the estimated seconds to wait, and since when; undefined for one that does not wait. */
export function queueOf(account: ServiceAccount, thread: ChatThread) {
  const own = waitOf(thread);
  if (!own) return undefined;
  const before = queueFor(account, own.groups).filter((each) => each.id !== own.id && isBefore(each, own));
  const position = before.length + 1;
  const last = lastWaits(account);
  const mean = last.length > 0 ? last.reduce((sum, seconds) => sum + seconds, 0) / last.length : 60;
  return { position, wait_time: Math.round(mean * position), queued_at: momentOf(own.since) };
}
