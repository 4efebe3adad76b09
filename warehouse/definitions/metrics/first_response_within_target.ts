// How many chats had their first answer in time.
import { chatMetric, count, mean, number, over, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/responses.ts';

const counted: MeasurePart = { sql: 'count(c.first_response_seconds)', merge: 'sum' };

export const firstResponseWithinTarget = chatMetric({
  id: 'first_response_within_target',
  title: 'First response within target',
  alsoCalled: 'sla first reply target in time',
  definition:
    'Share of chats with a first response whose first response came within the target (default 30 seconds): from the ' +
    'first message of the visitor to the first message of an agent after it, the target included. Chats without both are ' +
    'not counted, as in first_response_time. By agent: the agent who sent that response.',
  kind: 'A',
  recipe: recipes.firstResponseWithinTarget,
  changedBy: ['messages'],
  target: 30,
  judged: { kind: 'first_response', measure: 'share', basis: { measure: 'counted' } },
  archived: {
    rows: 'chats',
    agent: 'first_response',
    parts: { counted, in_time: count('c.first_response_seconds <= :target') },
  },
  measures: {
    within: number('Within the target', 'chats', 'in_time'),
    missed: number('Missed the target', 'chats', 'counted - in_time'),
    counted: number('Chats with a first response', 'chats', 'counted'),
    share: mean('Share within the target', 'share', over('in_time', 'counted')),
  },
});
