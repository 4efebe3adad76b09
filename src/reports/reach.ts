// From when to when a snapshot knows an account.
import type { QueryContext } from '#warehouse/query/context.ts';
import { range } from '#warehouse/periods.ts';
import { pulledSpan } from '#warehouse/read/pulled-days.ts';

/** From when to when the snapshot knows the account, Unix seconds. */
export interface KnownSpan {
  /** First second of the first day pulled. */
  first: number;
  /** Later data does not exist: now, or for a day the end of the last pulled day. */
  now: number;
}

/** Until this long after midnight, an unpulled day counts as future; afterwards it is missing. */
const graceSeconds = 86_400;

/** Days before the first one to pull are no part of it: the reports say zero there. */
export async function reachOf(context: QueryContext): Promise<KnownSpan> {
  const { account, now } = context;
  const { timezone: zone, since } = account;
  const { from: first, to: last } = (await pulledSpan(context)) ?? { from: since, to: since };
  const end = range(zone, last, last).until;
  return { first: range(zone, first, first).from, now: now - end < graceSeconds ? Math.min(now, end) : now };
}
