// How long visitors waited for the first answer, in business hours.
import { chatMetric, count, number, quantile, sum } from '../metric.ts';
import * as recipes from '../recipes/business-hours.ts';
import { firstResponseTime } from './first_response_time.ts';

export const firstResponseTimeBusiness = chatMetric({
  id: 'first_response_time_business',
  title: 'First response time in business hours',
  definition:
    'The first response time of which only the time in business hours counts: the hours of any group of the chat, as they ' +
    'were in force then. Waits wholly outside business hours are not counted; outside says how many they are.',
  kind: 'A',
  recipe: recipes.firstResponseTimeBusiness,
  changedBy: ['messages', 'groups'],
  archived: {
    rows: 'chats',
    agent: 'first_response',
    businessHours: 'first_response',
    parts: {
      counted: { sql: 'count(:seconds)', merge: 'sum' },
      total_seconds: sum(':seconds'),
      q50: quantile(':seconds', 0.5),
      q90: quantile(':seconds', 0.9),
      q95: quantile(':seconds', 0.95),
      outside_chats: count(':outside'),
    },
  },
  measures: {
    ...firstResponseTime.measures,
    outside: number('Wholly outside business hours', 'chats', 'outside_chats'),
  },
});
