// Chats that nobody answered.
import { counts, daysAndHours, everybody } from '../check.ts';
import { chatMetric, count, mean, number, over } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';

export const notRepliedChats = chatMetric({
  id: 'not_replied_chats',
  title: 'Missed chats',
  alsoCalled: 'without a reply unanswered ignored no reply',
  definition:
    'Chats without any message of an agent other than the welcome message; the share is of all chats. It is a property ' +
    'of the whole chat: an agent in the question only narrows which chats.',
  kind: 'A+R',
  recipe: recipes.notRepliedChats,
  changedBy: ['messages'],
  teamFigure: { measure: 'share' },
  checks: [{ table: 'not_replied_chats', numbers: counts('not_replied'), splits: everybody, grains: daysAndHours }],
  implied: ['share'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    parts: { all_chats: count(), unanswered: count('not c.is_replied') },
  },
  measures: {
    chats: number('Chats', 'chats', 'all_chats'),
    not_replied: number('Missed', 'chats', 'unanswered'),
    share: mean('Share of all chats', 'share', over('unanswered', 'all_chats')),
  },
});
