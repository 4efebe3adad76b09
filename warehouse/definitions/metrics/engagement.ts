// How chats began.
import { counts, daysAndHours, everybody } from '../check.ts';
import { chatMetric, count, number } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';

export const engagement = chatMetric({
  id: 'engagement',
  title: 'Engagement',
  alsoCalled: 'engaged conversations started participation',
  definition:
    'Chats by how they began: from a greeting, by an agent, or by the visitor (also when the source does not say). ' +
    'The three add up to all chats.',
  kind: 'A+R',
  recipe: recipes.engagement,
  changedBy: ['engagement'],
  checks: [
    {
      table: 'engagement',
      numbers: counts('chats_from_auto_invite', 'chats_from_manual_invite', 'chats_from_immediate_start'),
      splits: everybody,
      grains: daysAndHours,
    },
  ],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    parts: {
      auto_invite: count("c.engagement = 'auto_invite'"),
      manual_invite: count("c.engagement = 'manual_invite'"),
      immediate_start: count("c.engagement not in ('auto_invite', 'manual_invite')"),
    },
  },
  measures: {
    chats_from_auto_invite: number('From a greeting', 'chats', 'auto_invite'),
    chats_from_manual_invite: number('Begun by an agent', 'chats', 'manual_invite'),
    chats_from_immediate_start: number('Begun by the visitor', 'chats', 'immediate_start'),
  },
});
