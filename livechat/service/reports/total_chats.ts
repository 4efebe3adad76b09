// How many chats started in a period.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { eachChat } from './selection.ts';

export const totalChats: ReportHandler<'total_chats'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const chats = periods.zeros();
  await eachChat(account, args, periods, (_, cell) => chats[cell]!++);
  return periods.fill((cell) => ({ chats: chats[cell]! }));
};
