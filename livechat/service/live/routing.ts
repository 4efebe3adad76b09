// Which agent gets a chat, and who waits in the queue: the accepting agent of the groups with the fewest chats, below their limit.
import type { ServiceAccount } from '../account.ts';
import { members, presences } from '../presence.ts';
import { momentOf } from '../names.ts';
import type { UncountedThread } from '../live-tables.ts';

/** How many chats each agent has at this moment. */
export function loads({ chats, now }: ServiceAccount): Map<string, number> {
  const instant = now();
  const found = new Map<string, number>();
  for (let place = chats.firstReaching(instant + 1); place < chats.length; place++) {
    if (chats.startedAt(place) > instant) break;
    if (chats.endedAt(place) <= instant) continue;
    const { agents, holders = agents.slice(-1) } = chats.at(place);
    for (const agent of holders) found.set(agent, (found.get(agent) ?? 0) + 1);
  }
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

/** Whether two waiting threads are in one queue: those of the same groups. */
const isSameQueue = (a: UncountedThread, b: UncountedThread): boolean =>
  [...a.record.groups].sort().join() === [...b.record.groups].sort().join();

export const queued = ({ store }: ServiceAccount): UncountedThread[] => store.live.uncountedByState('queued');

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

/** The place of a waiting thread from 1, the estimated seconds to wait, and since when. */
export function queueOf(account: ServiceAccount, id: string) {
  const all = queued(account);
  const own = all.find((each) => each.id === id);
  if (!own) return undefined;
  const position = all.filter((each) => isSameQueue(each, own)).findIndex((each) => each.id === id) + 1;
  const last = lastWaits(account);
  const mean = last.length > 0 ? last.reduce((sum, seconds) => sum + seconds, 0) / last.length : 60;
  return { position, wait_time: Math.round(mean * position), queued_at: momentOf(own.created) };
}
