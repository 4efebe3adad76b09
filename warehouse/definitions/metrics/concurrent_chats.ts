// How many chats were open at once.
import { counts } from '../check.ts';
import { chatMetric, mean, number, over } from '../metric.ts';
import * as recipes from '../recipes/spans.ts';

export const concurrentChats = chatMetric({
  id: 'concurrent_chats',
  version: 2,
  title: 'Concurrent chats',
  alsoCalled: 'concurrency at once simultaneous parallel load',
  definition:
    'The largest number of chats open at the same moment, and the mean over time, as far as it had passed when chats were received. An end and a start in the same second ' +
    'do not overlap; a chat of zero length counts for its second; chats open from before count in. Coarser periods ' +
    'take the maximum of their hours.',
  kind: 'A+R',
  recipe: recipes.concurrentChats,
  changedBy: [],
  answers: 'agents_occupancy',
  checks: [{ table: 'agents_occupancy', numbers: counts('most'), splits: ['account'], grains: ['hour'] }],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    sweep: { end: 'greatest(c.ended_second, c.started_second + 1)' },
    parts: {
      highest: { sql: 'max(level)', merge: 'max' },
      chat_seconds: { sql: 'sum(level * length)', merge: 'sum' },
      whole_seconds: { sql: 'sum(length)', merge: 'sum' },
    },
  },
  measures: {
    most: number('Most concurrent', 'chats', 'coalesce(highest, 0)'),
    mean: mean('Mean concurrent', 'chats', over('chat_seconds', 'whole_seconds')),
  },
});
