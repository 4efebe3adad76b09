// Statuses set through the API: each one applies from its instant until the agent's own schedule next changes the status.
import type { LoginStatus, StatusInterval } from './records.ts';

export interface StatusChange {
  agent: string;
  status: LoginStatus | 'offline';
  /** Unix seconds. */
  at: number;
  /** Login or bot id of who set it; null of one that an older version wrote. */
  set_by: string | null;
}

/** End of a status that never ends. */
const never = Number.MAX_SAFE_INTEGER;

/**
 * The intervals with all changes applied, in order of time; intervals of one agent still never overlap. The schedule of an agent who was removed
 * ends there, also when there is an agent of that login again.
 */
export function withChanges(
  intervals: readonly StatusInterval[],
  changes: readonly StatusChange[],
  removals: readonly { login: string; at: number }[],
): StatusInterval[] {
  const gone = new Map(removals.map(({ login, at }) => [login, at]));
  const changesOf = Map.groupBy(changes, ({ agent }) => agent);
  const touched = new Set([...gone.keys(), ...changesOf.keys()]);
  if (touched.size === 0) return [...intervals];
  const ofTouched = Map.groupBy(
    intervals.filter(({ agent }) => touched.has(agent)),
    ({ agent }) => agent,
  );
  const laid = [...touched].flatMap((agent) => {
    const end = gone.get(agent) ?? never;
    const kept = (ofTouched.get(agent) ?? []).flatMap((each) =>
      each.from < end ? [{ ...each, to: Math.min(each.to, end) }] : [],
    );
    return laidOver(kept, changesOf.get(agent) ?? []);
  });
  return [...intervals.filter(({ agent }) => !touched.has(agent)), ...laid];
}

/** The intervals of one agent with the changes of the same, both in order of time. */
function laidOver(intervals: readonly StatusInterval[], changes: readonly StatusChange[]): StatusInterval[] {
  const laid: StatusInterval[] = [];
  const edges = changes.map(({ at }) => at);
  for (const { from, to, ...each } of intervals) {
    // A change ends the interval around it: what is left of that is the status that was set.
    const cut = edges.find((at) => at >= from && at < to);
    if (cut === undefined) laid.push({ ...each, from, to });
    else if (cut > from) laid.push({ ...each, from, to: cut });
  }
  for (const [place, { agent, status, at }] of changes.entries()) {
    if (status === 'offline') continue;
    // It holds until the schedule next changes, or until another one is set.
    const around = intervals.find((each) => each.from <= at && at < each.to)?.to;
    const next = around ?? intervals.find((each) => each.from > at)?.from ?? never;
    const to = Math.min(next, changes[place + 1]?.at ?? never);
    if (to > at) laid.push({ agent, status, from: at, to });
  }
  return laid;
}
