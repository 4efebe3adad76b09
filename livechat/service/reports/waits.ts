// The waits in the queue that ended in each period: into a chat, or away without one.
import type { ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import type { ReportPeriods } from './periods.ts';
import { eachChat, isAny } from './selection.ts';

/** Seconds waited, one list per label. */
interface Waits {
  entered: number[][];
  left: number[][];
}

export function waitsOf(account: ServiceAccount, args: ReportArgs, periods: ReportPeriods): Waits {
  const entered = periods.labels.map((): number[] => []);
  const left = periods.labels.map((): number[] => []);
  eachChat(account, args, periods, (chat, cell) => {
    if (chat.queue_seconds !== null) entered[cell]!.push(chat.queue_seconds);
  });
  for (const departure of account.departures.between(periods.from, Math.min(periods.to, periods.now))) {
    const cell = periods.cellAt(departure.left);
    if (cell >= 0 && isAny(args.groups, [departure.group])) left[cell]!.push(departure.left - departure.queued);
  }
  return { entered, left };
}
