// How long the first visitor line of a chat waited for an agent; credited to the agent who answered it.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { mean } from './rounding.ts';
import { eachChat } from './selection.ts';

export const firstResponseTime: ReportHandler<'first_response_time'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const count = periods.zeros();
  const sum = periods.zeros();
  await eachChat(account, { ...args, agents: [] }, periods, ({ first }, cell) => {
    if (!first || (args.agents.length > 0 && !args.agents.includes(first.agent))) return;
    count[cell]!++;
    sum[cell]! += first.seconds;
  });
  return periods.fill((cell) => ({
    first_response_time: { count: count[cell]!, seconds: mean(sum[cell]!, count[cell]!) },
  }));
};
