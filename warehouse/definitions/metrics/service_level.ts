// How many visitors were answered in time.
import { chatMetric, count, mean, number, over, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/queue.ts';
import { queuedVisitors } from './queued_visitors.ts';

const entered: MeasurePart = { sql: 'count(c.queue_seconds)', merge: 'sum' };

// If `n` visitors left after waiting at least `low`, at most `high` and on average `average` seconds (rounded to integers), `k` of them
// may have waited no longer than the target as long as the sum of the waits lies between the smallest and largest sums that this allows.
const n = 'r.left_queue_count';
const low = 'r.left_queue_min';
const high = 'r.left_queue_max';
const most = `${n} * (r.left_queue_average + 0.5)`;
const least = `${n} * (r.left_queue_average - 0.5)`;
const within = (sql: string): string => `greatest(1, least(cast(${n} - 1 as double precision), ${sql}))`;
const sure = `when ${n} = 0 then 0 when ${high} <= :target then ${n} when ${low} > :target then 0`;
const fewest = `case ${sure} else ${within(`ceil(((${n} - 1) * (:target + 1) + ${high} - ${most}) / (:target + 1 - ${low}))`)} end`;
const mostly = `case ${sure} else ${within(`floor((${low} - :target + ${n} * ${high} - ${least}) / (${high} - :target))`)} end`;

export const serviceLevel = chatMetric({
  id: 'service_level',
  title: 'Service level',
  alsoCalled: 'sla answered within seconds',
  definition:
    'Share of queued visitors who entered a chat within the target (default 30 seconds). answered_within is exact, over ' +
    'those who entered. low and high are over all queued visitors: those who left before the target was over had no ' +
    'chance to be answered in time and are left out; how many they are is known only within what the shortest, longest ' +
    'and mean wait of those who left allow, so the true share lies between low and high.',
  kind: 'A',
  recipe: recipes.serviceLevel,
  changedBy: ['queue'],
  target: 30,
  judged: {
    kind: 'service_level',
    measure: 'answered_within',
    basis: { metric: queuedVisitors.id, measure: 'entered_chat' },
  },
  archived: {
    rows: 'chats',
    agent: 'took_part',
    brings: 'c.queue_seconds is not null',
    parts: { entered, in_time: count('c.queue_seconds <= :target') },
  },
  reported: {
    table: 'waiting_times',
    splits: ['group'],
    parts: {
      gone: { sql: `sum(${n})`, merge: 'sum' },
      gone_early_fewest: { sql: `sum(${fewest})`, merge: 'sum' },
      gone_early_most: { sql: `sum(${mostly})`, merge: 'sum' },
    },
  },
  measures: {
    answered_within: mean('Answered within the target', 'share', over('in_time', 'entered'), ['archived']),
    entered_chat_count: number('Entered a chat', 'visitors', 'entered', ['archived']),
    low: mean('Of all queued, at least', 'share', over('in_time', 'entered + gone - gone_early_fewest')),
    high: mean('Of all queued, at most', 'share', over('in_time', 'entered + gone - gone_early_most')),
  },
});
