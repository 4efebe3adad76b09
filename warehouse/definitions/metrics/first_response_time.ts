// How long visitors waited for the first answer.
import { counts, daysAndHours, everybody, rounded } from '../check.ts';
import { chatMetric, mean, number, over, quantile, sum, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/responses.ts';

const counted: MeasurePart = { sql: 'count(c.first_response_seconds)', merge: 'sum' };

export const firstResponseTime = chatMetric({
  id: 'first_response_time',
  title: 'First response time',
  alsoCalled: 'frt first reply answer speed median',
  definition:
    'Per chat: from the first message of the visitor to the first message of an agent after it. Chats without both are ' +
    'not counted. By agent: the agent who sent that response. The mean is over chats, never over days.',
  kind: 'A+R',
  recipe: recipes.firstResponseTime,
  changedBy: ['messages'],
  ownFigures: { first_response: { measure: 'p50', basis: 'count' } },
  outcomes: { first_response: 'seconds' },
  teamFigure: { measure: 'p50', basis: 'count' },
  chatColumn: 'first_response_seconds',
  checks: [
    {
      table: 'first_response_time',
      numbers: [...counts('count'), rounded('seconds', 2)],
      splits: everybody,
      grains: daysAndHours,
    },
  ],
  archived: {
    rows: 'chats',
    agent: 'first_response',
    parts: {
      counted,
      total_seconds: sum('c.first_response_seconds'),
      q50: quantile('c.first_response_seconds', 0.5),
      q90: quantile('c.first_response_seconds', 0.9),
      q95: quantile('c.first_response_seconds', 0.95),
    },
  },
  measures: {
    count: number('Chats', 'chats', 'counted'),
    seconds: mean('Mean', 'seconds', over('total_seconds', 'counted')),
    p50: mean('Median', 'seconds', 'q50'),
    p90: mean('90th percentile', 'seconds', 'q90'),
    p95: mean('95th percentile', 'seconds', 'q95'),
  },
});
