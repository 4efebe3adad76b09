// How long visitors had waited when they stopped waiting: whole seconds, pooled from the unrounded waits.
import type { Each } from '#contract/reports.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { rounded } from './rounding.ts';
import { waitsOf } from './waits.ts';

export const waitingTimes: ReportHandler<'waiting_times'> = (account) => (args) => {
  const periods = periodsOf(account, args);
  const { entered, left } = waitsOf(account, args, periods);
  return periods.fill((cell) => ({
    queued: summary([...entered[cell]!, ...left[cell]!]),
    left_queue: summary(left[cell]!),
    entered_chat: summary(entered[cell]!),
  }));
};

function summary(waits: number[]): Each<'waiting_times'>['queued'] {
  const count = waits.length;
  const seconds = (value: number) => ({ seconds: count === 0 ? 0 : rounded(value, 0) });
  return {
    count,
    min: seconds(waits.reduce((a, b) => Math.min(a, b), Infinity)),
    max: seconds(waits.reduce((a, b) => Math.max(a, b), -Infinity)),
    average: seconds(waits.reduce((a, b) => a + b, 0) / count),
  };
}
