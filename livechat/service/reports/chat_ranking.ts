// Agents ranked by the ratings of the chats they took part in.
import { rateAt } from '../light.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { createRanking } from './ranking.ts';
import { eachChat } from './selection.ts';

export const chatRanking: ReportHandler<'chat_ranking'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const ranking = createRanking();
  await eachChat(account, args, periods, (chat) => {
    const rate = rateAt(chat, periods.now);
    if (rate !== 'rated_good' && rate !== 'rated_bad') return;
    for (const agent of new Set(chat.agents))
      if (!account.removed.has(agent)) ranking.add(agent, rate === 'rated_good');
  });
  return ranking.answer();
};
