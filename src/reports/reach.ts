// From when to when a snapshot knows an account.
import type { QueryContext } from '#warehouse/query/context.ts';
import { range } from '#warehouse/periods.ts';
import { pulledSpan } from '#warehouse/read/pulled-days.ts';

/** From when to when the snapshot knows the account, Unix seconds. */
export interface KnownSpan {
  /** First second of the first day pulled. */
  first: number;
  /** What lies after it does not exist: now, or for a day the end of the last day pulled. */
  now: number;
}

/** Between midnight and the first pull of a day, that day is the future. Later than this, it is missing. */
const graceSeconds = 86_400;

/** Days before the first one to pull are no part of it: the reports say zero there. */
export async function reachOf(context: QueryContext): Promise<KnownSpan> {
  const { account, now } = context;
  const { timezone: zone, since } = account;
  const { from: first, to: last } = (await pulledSpan(context)) ?? { from: since, to: since };
  const end = range(zone, last, last).until;
  return { first: range(zone, first, first).from, now: now - end < graceSeconds ? Math.min(now, end) : now };
}
