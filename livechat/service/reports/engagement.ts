// Who began the chats: a greeting, an agent or the visitor alone. The three add up to total_chats.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { eachChat } from './selection.ts';

export const engagement: ReportHandler<'engagement'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const auto = periods.zeros();
  const manual = periods.zeros();
  const immediate = periods.zeros();
  await eachChat(account, args, periods, (chat, cell) => {
    const counted = chat.engagement === 'auto_invite' ? auto : chat.engagement === 'manual_invite' ? manual : immediate;
    counted[cell]!++;
  });
  return periods.fill((cell) => ({
    chats_from_auto_invite: auto[cell]!,
    chats_from_immediate_start: immediate[cell]!,
    chats_from_manual_invite: manual[cell]!,
  }));
};
