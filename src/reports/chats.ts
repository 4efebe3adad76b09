// Reports that count and time chats.
import { amount, mean, whole } from './rounding.ts';
import type { ReportShape } from './period-answer.ts';

export const totalChats: ReportShape<'total_chats'> = {
  each: (row) => ({ chats: whole(row.chats) }),
};

export const engagement: ReportShape<'engagement'> = {
  each: (row) => ({
    chats_from_auto_invite: whole(row.chats_from_auto_invite),
    chats_from_immediate_start: whole(row.chats_from_immediate_start),
    chats_from_manual_invite: whole(row.chats_from_manual_invite),
  }),
};

export const notRepliedChats: ReportShape<'not_replied_chats'> = {
  each: (row) => ({ not_replied: whole(row.not_replied) }),
};

export const chatRatings: ReportShape<'chat_ratings'> = {
  each: (row, { months }) => ({ ...months, bad: whole(row.bad), good: whole(row.good), chats: whole(row.chats) }),
};

export const chattingTime: ReportShape<'chatting_time'> = {
  each: (row) => ({ hours: amount(row.hours) }),
};

export const firstResponseTime: ReportShape<'first_response_time'> = {
  each: (row) => ({ first_response_time: { count: whole(row.count), seconds: mean(row.seconds) } }),
};

export const responseTime: ReportShape<'response_time'> = {
  each: (row) => ({ avg_response_time: { count: whole(row.count), seconds: mean(row.seconds) } }),
};
