// How long visitors waited for answers during their chats.
import { counts, daysAndHours, everybody, rounded } from '../check.ts';
import { chatMetric, fractionsOver, mean, number, quantile, sumOfFractions, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/responses.ts';

const counted: MeasurePart = { sql: 'count(:seconds)', merge: 'sum' };

export const responseTime = chatMetric({
  id: 'response_time',
  title: 'Response time',
  alsoCalled: 'art reply answer speed average median',
  definition:
    'Per chat: the mean over its turns of the time from the first unanswered message of the visitor to the next message ' +
    'of an agent; then the mean over chats. By agent: the turns that this agent closed. A last message without an ' +
    'answer is no turn.',
  kind: 'A+R',
  recipe: recipes.responseTime,
  changedBy: ['messages'],
  ownFigures: { response: { measure: 'p50', basis: 'count' } },
  outcomes: { response: 'seconds' },
  teamFigure: { measure: 'p50', basis: 'count' },
  chatColumn: 'response_seconds',
  checks: [
    {
      table: 'response_time',
      numbers: [...counts('count'), rounded('seconds', 2)],
      splits: everybody,
      grains: daysAndHours,
    },
  ],
  archived: {
    rows: 'chats',
    agent: 'turns',
    parts: {
      counted,
      total_seconds: sumOfFractions(':seconds'),
      q50: quantile(':seconds', 0.5),
      q90: quantile(':seconds', 0.9),
      q95: quantile(':seconds', 0.95),
    },
  },
  measures: {
    count: number('Chats', 'chats', 'counted'),
    seconds: mean('Mean', 'seconds', fractionsOver('total_seconds', 'counted')),
    p50: mean('Median', 'seconds', 'q50'),
    p90: mean('90th percentile', 'seconds', 'q90'),
    p95: mean('95th percentile', 'seconds', 'q95'),
  },
});
