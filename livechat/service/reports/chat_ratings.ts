// Good and bad ratings of the chats that started in a period; the last rating so far wins.
import { rateAt } from '../light.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { eachChat } from './selection.ts';

export const chatRatings: ReportHandler<'chat_ratings'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const bad = periods.zeros();
  const good = periods.zeros();
  const chats = periods.zeros();
  await eachChat(account, args, periods, (chat, cell) => {
    const rate = rateAt(chat, periods.now);
    chats[cell]!++;
    if (rate === 'rated_good') good[cell]!++;
    if (rate === 'rated_bad') bad[cell]!++;
  });
  return periods.fill((cell) => ({
    ...periods.clip(cell),
    bad: bad[cell]!,
    good: good[cell]!,
    chats: chats[cell]!,
  }));
};
