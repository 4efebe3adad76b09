// The mean wait of a chat's turns, then the mean over the chats that have one; by agent, only the turns that agent closed.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { mean } from './rounding.ts';
import { eachChat } from './selection.ts';

export const responseTime: ReportHandler<'response_time'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const count = periods.zeros();
  const sum = periods.zeros();
  await eachChat(account, { ...args, agents: [] }, periods, (chat, cell) => {
    const turns = chat.turns.filter(({ agent }) => args.agents.length === 0 || args.agents.includes(agent));
    if (turns.length === 0) return;
    count[cell]!++;
    sum[cell]! += turns.reduce((total, turn) => total + turn.seconds, 0) / turns.length;
  });
  return periods.fill((cell) => ({
    avg_response_time: { count: count[cell]!, seconds: mean(sum[cell]!, count[cell]!) },
  }));
};
