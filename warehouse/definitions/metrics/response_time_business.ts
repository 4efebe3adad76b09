// How long visitors waited for answers during their chats, in business hours.
import { chatMetric, count, number, quantile, sumOfFractions } from '../metric.ts';
import * as recipes from '../recipes/business-hours.ts';
import { responseTime } from './response_time.ts';

export const responseTimeBusiness = chatMetric({
  id: 'response_time_business',
  title: 'Response time in business hours',
  definition:
    'The response time of which only the time in business hours counts: the hours of any group of the chat, as they were in ' +
    'force then. Turns wholly outside business hours are not counted; outside says how many chats have no others.',
  kind: 'A',
  recipe: recipes.responseTimeBusiness,
  changedBy: ['messages', 'groups'],
  archived: {
    rows: 'chats',
    agent: 'turns',
    businessHours: 'turns',
    parts: {
      counted: { sql: 'count(:seconds)', merge: 'sum' },
      total_seconds: sumOfFractions(':seconds'),
      q50: quantile(':seconds', 0.5),
      q90: quantile(':seconds', 0.9),
      q95: quantile(':seconds', 0.95),
      outside_chats: count(':outside'),
    },
  },
  measures: {
    ...responseTime.measures,
    outside: number('Wholly outside business hours', 'chats', 'outside_chats'),
  },
});
