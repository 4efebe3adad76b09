// Visitors who waited in the queue, and what became of them.
import { counts, daysAndHours } from '../check.ts';
import { chatMetric, mean, number, over, sum, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/queue.ts';

const entered: MeasurePart = { sql: 'count(c.queue_seconds)', merge: 'sum' };

export const queuedVisitors = chatMetric({
  id: 'queued_visitors',
  title: 'Queued visitors',
  alsoCalled: 'queue abandonment abandoned left dropped waiting line',
  definition:
    'Visitors whose wait in the queue ended in the period: those who entered a chat (archived chats with a wait, also ' +
    'of 0 seconds, by their start) and those who left (only the source knows them, by when they left). ' +
    'abandonment = left / queued.',
  kind: 'A+R / R',
  recipe: recipes.queuedVisitors,
  changedBy: ['queue'],
  judged: { kind: 'abandonment', measure: 'abandonment', basis: { measure: 'queued' }, isMost: true },
  checks: [
    { table: 'queued_visitors', numbers: counts('entered_chat'), splits: ['account', 'group'], grains: daysAndHours },
  ],
  archived: { rows: 'chats', agent: 'took_part', brings: 'c.queue_seconds is not null', parts: { entered } },
  reported: { table: 'queued_visitors', splits: ['group'], parts: { gone: sum('r.left_queue') } },
  measures: {
    queued: number('Queued', 'visitors', 'entered + gone'),
    entered_chat: number('Entered a chat', 'visitors', 'entered', ['archived']),
    left_queue: number('Left the queue', 'visitors', 'gone', ['reported']),
    abandonment: mean('Share that left', 'share', over('gone', 'entered + gone')),
  },
});
