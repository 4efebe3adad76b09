// How many chats started in a period.
import type { Handler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { eachChat } from './selection.ts';

export const totalChats: Handler<'total_chats'> = (account) => (args) => {
  const periods = periodsOf(account, args);
  const chats = periods.zeros();
  eachChat(account, args, periods, (_, cell) => chats[cell]!++);
  return periods.fill((cell) => ({ chats: chats[cell]! }));
};
