// Statuses set through the API: each one applies from its instant until the agent's own schedule next changes the status.
import type { LoginStatus, StatusInterval } from './records.ts';

export interface StatusChange {
  agent: string;
  status: LoginStatus | 'offline';
  /** Unix seconds. */
  at: number;
}

/** End of a status that never ends. */
const never = Number.MAX_SAFE_INTEGER;

/** The intervals with all changes applied, in order of time; intervals of one agent still never overlap. */
export function withChanges(
  intervals: readonly StatusInterval[],
  changes: readonly StatusChange[],
  removed: ReadonlyMap<string, number>,
): StatusInterval[] {
  if (changes.length === 0 && removed.size === 0) return [...intervals];
  let laid = [...intervals];
  for (const change of changes) laid = withChange(laid, change);
  return laid.flatMap((each) => {
    const gone = removed.get(each.agent) ?? never;
    return each.from < gone ? [{ ...each, to: Math.min(each.to, gone) }] : [];
  });
}

function withChange(intervals: readonly StatusInterval[], { agent, status, at }: StatusChange): StatusInterval[] {
  let until = never;
  const laid: StatusInterval[] = [];
  for (const each of intervals) {
    if (each.agent !== agent || each.to <= at) {
      laid.push(each);
      continue;
    }
    // The schedule next changes the status where the interval around the change ends, or where the following one begins.
    until = Math.min(until, each.from > at ? each.from : each.to);
    if (each.from > at) laid.push(each);
    else if (each.from < at) laid.push({ ...each, to: at });
  }
  if (status !== 'offline') laid.push({ agent, status, from: at, to: until });
  return laid;
}
