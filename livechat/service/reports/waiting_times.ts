// How long visitors had waited when they stopped waiting: whole seconds, pooled from the unrounded waits.
import type { Each } from '#contract/reports.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { rounded } from './rounding.ts';
import { together, waitsOf, type Wait } from './waits.ts';

export const waitingTimes: ReportHandler<'waiting_times'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const { entered, left } = await waitsOf(account, args, periods);
  return periods.fill((cell) => ({
    queued: summary(together(entered[cell]!, left[cell]!)),
    left_queue: summary(left[cell]!),
    entered_chat: summary(entered[cell]!),
  }));
};

function summary({ count, sum, least, most }: Wait): Each<'waiting_times'>['queued'] {
  const seconds = (value: number) => ({ seconds: count === 0 ? 0 : rounded(value, 0) });
  return { count, min: seconds(least), max: seconds(most), average: seconds(sum / count) };
}
