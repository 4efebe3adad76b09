// How many chats there were.
import { chatMetric, count, number } from '../metric.ts';

export const totalChats = chatMetric({
  id: 'total_chats',
  title: 'Chats',
  definition: 'Number of ended chats; a chat counts whole to the period in which it started.',
  kind: 'A+R',
  archived: { rows: 'chats', agent: 'took_part', parts: { all_chats: count() } },
  measures: { chats: number('Chats', 'chats', 'all_chats') },
});
