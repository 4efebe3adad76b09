// How long visitors waited in the queue.
import { counts, daysAndHours, rounded } from '../check.ts';
import { chatMetric, least, mean, most, number, over, quantile, sum, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/queue.ts';

const entered: MeasurePart = { sql: 'count(c.queue_seconds)', merge: 'sum' };
const isGiven = 'left_count is not null';

// The source gives the mean wait of those who left, and its own overall mean, in whole seconds: if both count the same visitors, the sum
// of all waits is within half a second per visitor of either.
const pooled =
  '(case when told_count = entered + left_count then greatest(told_seconds - told_count * 0.5, ' +
  'least(told_seconds + told_count * 0.499999, entered_seconds + left_seconds)) else entered_seconds + left_seconds end)';

export const waitingTimes = chatMetric({
  id: 'waiting_times',
  title: 'Waiting times',
  alsoCalled: 'queue wait waiting time asa speed of answer',
  definition:
    'Waits of queued visitors in seconds, from unrounded waits: of those who entered a chat from the archive, so ' +
    'percentiles are exact; of those who left only what the source gives. queued pools both, weighted by count, within ' +
    'what the rounded mean of all queued allows that the source gives.',
  kind: 'A+R / R',
  recipe: recipes.waitingTimes,
  changedBy: ['queue'],
  chatColumn: 'queue_seconds',
  checks: [
    {
      table: 'waiting_times',
      numbers: [
        ...counts('entered_chat_count'),
        rounded('entered_chat_min', 0),
        rounded('entered_chat_max', 0),
        rounded('entered_chat_average', 0),
      ],
      splits: ['account', 'group'],
      grains: daysAndHours,
    },
  ],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    brings: 'c.queue_seconds is not null',
    parts: {
      entered,
      entered_seconds: sum('c.queue_seconds'),
      entered_min: least('c.queue_seconds'),
      entered_max: most('c.queue_seconds'),
      q50: quantile('c.queue_seconds', 0.5),
      q90: quantile('c.queue_seconds', 0.9),
      q95: quantile('c.queue_seconds', 0.95),
    },
  },
  reported: {
    table: 'waiting_times',
    splits: ['group'],
    parts: {
      left_count: sum('r.left_queue_count'),
      left_seconds: sum('r.left_queue_count * r.left_queue_average'),
      left_min: least('r.left_queue_min'),
      left_max: most('r.left_queue_max'),
      told_count: sum('r.queued_count'),
      told_seconds: sum('r.queued_count * r.queued_average'),
    },
  },
  measures: {
    queued_count: number('Queued', 'visitors', 'entered + left_count'),
    queued_min: mean(
      'Queued, shortest',
      'seconds',
      `case when ${isGiven} then least(coalesce(entered_min, left_min), coalesce(left_min, entered_min)) end`,
    ),
    queued_max: mean(
      'Queued, longest',
      'seconds',
      `case when ${isGiven} then greatest(coalesce(entered_max, left_max), coalesce(left_max, entered_max)) end`,
    ),
    queued_average: mean('Queued, mean', 'seconds', over(pooled, 'entered + left_count')),
    entered_chat_count: number('Entered a chat', 'visitors', 'entered', ['archived']),
    entered_chat_min: mean('Entered, shortest', 'seconds', 'entered_min', ['archived']),
    entered_chat_max: mean('Entered, longest', 'seconds', 'entered_max', ['archived']),
    entered_chat_average: mean('Entered, mean', 'seconds', over('entered_seconds', 'entered'), ['archived']),
    entered_chat_p50: mean('Entered, median', 'seconds', 'q50', ['archived']),
    entered_chat_p90: mean('Entered, 90th percentile', 'seconds', 'q90', ['archived']),
    entered_chat_p95: mean('Entered, 95th percentile', 'seconds', 'q95', ['archived']),
    left_queue_count: number('Left the queue', 'visitors', 'left_count', ['reported']),
    left_queue_min: mean('Left, shortest', 'seconds', 'left_min', ['reported']),
    left_queue_max: mean('Left, longest', 'seconds', 'left_max', ['reported']),
    left_queue_average: mean('Left, mean', 'seconds', over('left_seconds', 'left_count'), ['reported']),
  },
});
