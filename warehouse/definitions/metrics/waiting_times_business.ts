// How long visitors who entered a chat waited in the queue, in business hours.
import { chatMetric, count, least, mean, most, number, over, quantile, sum } from '../metric.ts';
import * as recipes from '../recipes/business-hours.ts';

export const waitingTimesBusiness = chatMetric({
  id: 'waiting_times_business',
  title: 'Waiting times in business hours',
  definition:
    'Waits of queued visitors who entered a chat, of which only the time in business hours counts: the hours of any group of ' +
    'the chat, as they were in force then. Waits wholly outside business hours are not counted; outside says how many they ' +
    'are. Of visitors who left the queue the source does not say when they waited.',
  kind: 'A',
  recipe: recipes.waitingTimesBusiness,
  changedBy: ['queue', 'groups'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    businessHours: 'queue',
    brings: 'c.queue_seconds is not null',
    parts: {
      entered: { sql: 'count(:seconds)', merge: 'sum' },
      entered_seconds: sum(':seconds'),
      entered_min: least(':seconds'),
      entered_max: most(':seconds'),
      q50: quantile(':seconds', 0.5),
      q90: quantile(':seconds', 0.9),
      q95: quantile(':seconds', 0.95),
      outside_chats: count(':outside'),
    },
  },
  measures: {
    entered_chat_count: number('Entered a chat', 'visitors', 'entered'),
    entered_chat_min: mean('Entered, shortest', 'seconds', 'entered_min'),
    entered_chat_max: mean('Entered, longest', 'seconds', 'entered_max'),
    entered_chat_average: mean('Entered, mean', 'seconds', over('entered_seconds', 'entered')),
    entered_chat_p50: mean('Entered, median', 'seconds', 'q50'),
    entered_chat_p90: mean('Entered, 90th percentile', 'seconds', 'q90'),
    entered_chat_p95: mean('Entered, 95th percentile', 'seconds', 'q95'),
    outside: number('Wholly outside business hours', 'visitors', 'outside_chats'),
  },
});
