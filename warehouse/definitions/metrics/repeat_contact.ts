// Visitors who came back soon.
import { chatMetric, count, mean, number, over } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';

const days = 7;

export const repeatContact = chatMetric({
  id: 'repeat_contact',
  title: 'Repeat contact',
  alsoCalled: 'fcr resolution again returning recontact came back',
  definition:
    `Chats whose visitor starts another chat within ${days} days (${days} times 24 hours) of the start of this one; ` +
    'the share is of all chats. It is a property of the visitor: agent, group or tag narrow the chats that are counted, ' +
    'not the chats that follow them.',
  kind: 'A',
  recipe: recipes.repeatContact,
  changedBy: ['visitor'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    nextWithin: days,
    parts: {
      all_chats: count(),
      came_back: count(`c.next_second <= c.started_second + ${days * 86_400}`),
    },
  },
  measures: {
    chats: number('Chats', 'chats', 'all_chats'),
    repeated: number('Followed by another', 'chats', 'came_back'),
    share: mean('Share of all chats', 'share', over('came_back', 'all_chats')),
  },
});
