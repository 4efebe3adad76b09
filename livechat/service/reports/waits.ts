// The waits in the queue that ended in each period: into a chat, or away without one.
import type { ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import { inSlices } from '../slices.ts';
import type { ReportPeriods } from './periods.ts';
import { eachChat, isAny } from './selection.ts';

/** Whole seconds that several visitors waited. */
export interface Wait {
  count: number;
  sum: number;
  least: number;
  most: number;
}

/** One for each label. */
interface Waits {
  entered: Wait[];
  left: Wait[];
}

const nobody = (): Wait => ({ count: 0, sum: 0, least: Infinity, most: -Infinity });

/** The waits of both. */
export const together = (one: Wait, other: Wait): Wait => ({
  count: one.count + other.count,
  sum: one.sum + other.sum,
  least: Math.min(one.least, other.least),
  most: Math.max(one.most, other.most),
});

function add(wait: Wait, seconds: number): void {
  Object.assign(wait, together(wait, { count: 1, sum: seconds, least: seconds, most: seconds }));
}

export async function waitsOf(account: ServiceAccount, args: ReportArgs, periods: ReportPeriods): Promise<Waits> {
  const entered = periods.labels.map(nobody);
  const left = periods.labels.map(nobody);
  const departures = account.departures.between(periods.from, Math.min(periods.to, periods.now));
  // Both of the same instant: the second begins before the first has ended.
  await Promise.all([
    eachChat(account, args, periods, (chat, cell) => {
      if (chat.queue_seconds !== null) add(entered[cell]!, chat.queue_seconds);
    }),
    inSlices(departures, (departure) => {
      const cell = periods.cellAt(departure.left);
      if (cell >= 0 && isAny(args.groups, [departure.group])) add(left[cell]!, departure.left - departure.queued);
    }),
  ]);
  return { entered, left };
}
