// How long agents were accepting chats: minutes within an hour, otherwise hours.
import { amount } from './rounding.ts';
import type { ReportShape } from './period-answer.ts';

export const availability: ReportShape<'availability'> = {
  each: (row, { grouping }) => ({ hours: amount(Number(row.hours ?? 0) * (grouping === 'hour' ? 60 : 1)) }),
};
