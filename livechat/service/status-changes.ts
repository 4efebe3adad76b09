// Statuses that somebody set: each holds from its instant until the agent's own day says something else.
import type { LoginStatus, StatusInterval } from './records.ts';

export interface StatusChange {
  agent: string;
  status: LoginStatus | 'offline';
  /** Unix seconds. */
  at: number;
}

/** The end of a status that nothing ends. */
const never = Number.MAX_SAFE_INTEGER;

/** The intervals with all changes laid over them, in order of time; intervals of one agent still never overlap. */
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
    // The next thing that the agent's day says is the end of the interval in which the change lies, or the next one.
    until = Math.min(until, each.from > at ? each.from : each.to);
    if (each.from > at) laid.push(each);
    else if (each.from < at) laid.push({ ...each, to: at });
  }
  if (status !== 'offline') laid.push({ agent, status, from: at, to: until });
  return laid;
}
