// How many visitors who entered a chat were answered in time, in business hours.
import { chatMetric, count, mean, number, over } from '../metric.ts';
import * as recipes from '../recipes/business-hours.ts';

export const serviceLevelBusiness = chatMetric({
  id: 'service_level_business',
  title: 'Service level in business hours',
  definition:
    'Share of queued visitors who entered a chat within the target (default 30 seconds), of whose waits only the time in ' +
    'business hours counts: the hours of any group of the chat, as they were in force then. Waits wholly outside business ' +
    'hours are not counted; outside says how many they are. Over those who entered: of visitors who left the queue the ' +
    'source does not say when they waited.',
  kind: 'A',
  recipe: recipes.serviceLevelBusiness,
  changedBy: ['queue', 'groups'],
  target: 30,
  archived: {
    rows: 'chats',
    agent: 'took_part',
    businessHours: 'queue',
    brings: 'c.queue_seconds is not null',
    parts: {
      entered: { sql: 'count(:seconds)', merge: 'sum' },
      in_time: count(':seconds <= :target'),
      outside_chats: count(':outside'),
    },
  },
  measures: {
    answered_within: mean('Answered within the target', 'share', over('in_time', 'entered')),
    entered_chat_count: number('Entered a chat', 'visitors', 'entered'),
    outside: number('Wholly outside business hours', 'visitors', 'outside_chats'),
  },
});
