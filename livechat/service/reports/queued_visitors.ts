// How many visitors stopped waiting in a period, and how.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { waitsOf } from './waits.ts';

export const queuedVisitors: ReportHandler<'queued_visitors'> = (account) => (args) => {
  const periods = periodsOf(account, args);
  const { entered, left } = waitsOf(account, args, periods);
  return periods.fill((cell) => ({
    queued: { count: entered[cell]!.length + left[cell]!.length },
    left_queue: { count: left[cell]!.length },
    entered_chat: { count: entered[cell]!.length },
  }));
};
