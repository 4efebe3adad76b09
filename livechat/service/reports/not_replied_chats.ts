// Chats in which no agent wrote anything but the welcome message.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { eachChat } from './selection.ts';

export const notRepliedChats: ReportHandler<'not_replied_chats'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const not_replied = periods.zeros();
  await eachChat(account, args, periods, (chat, cell) => {
    if (!chat.is_replied) not_replied[cell]!++;
  });
  return periods.fill((cell) => ({ not_replied: not_replied[cell]! }));
};
