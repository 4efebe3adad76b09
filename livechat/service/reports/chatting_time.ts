// How long at least one chat of the asked set was open: hours in every grouping, also of chats begun before the range.
import type { ReportHandler } from './handler.ts';
import { inSlices } from '../slices.ts';
import { periodsOf } from './periods.ts';
import { inHours } from './rounding.ts';
import { eachOpenChat } from './selection.ts';
import { createUnion } from './union.ts';

export const chattingTime: ReportHandler<'chatting_time'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const open = createUnion();
  await eachOpenChat(account, args, periods, ({ started, ended }) => open.add(started, ended));
  const seconds = periods.zeros();
  await inSlices(open.joined, ({ from, to }) => periods.spread(from, to, (cell, passed) => (seconds[cell]! += passed)));
  return periods.fill((cell) => ({ hours: inHours(seconds[cell]!) }));
};
