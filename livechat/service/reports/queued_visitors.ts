// How many visitors stopped waiting in a period, and how.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { waitsOf } from './waits.ts';

export const queuedVisitors: ReportHandler<'queued_visitors'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const { entered, left } = await waitsOf(account, args, periods);
  return periods.fill((cell) => ({
    queued: { count: entered[cell]!.count + left[cell]!.count },
    left_queue: { count: left[cell]!.count },
    entered_chat: { count: entered[cell]!.count },
  }));
};
