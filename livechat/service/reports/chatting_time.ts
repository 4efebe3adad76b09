// How long at least one chat of the asked set was open: hours in every grouping, also of chats begun before the range.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { inHours } from './rounding.ts';
import { openChats } from './selection.ts';
import { union } from './union.ts';

export const chattingTime: ReportHandler<'chatting_time'> = (account) => (args) => {
  const periods = periodsOf(account, args);
  const chats = openChats(account, args, periods.now, periods.from, periods.to);
  const seconds = periods.zeros();
  for (const { from, to } of union(chats.map((chat) => ({ from: chat.started, to: chat.ended })))) {
    periods.spread(from, to, (cell, passed) => (seconds[cell]! += passed));
  }
  return periods.fill((cell) => ({ hours: inHours(seconds[cell]!) }));
};
