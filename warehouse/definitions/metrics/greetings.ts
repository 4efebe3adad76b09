// Greetings shown to visitors, and their results.
import { daysAndHours } from '../check.ts';
import { number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';
import { engagement } from './engagement.ts';

export const greetings = reportMetric({
  id: 'greetings',
  title: 'Greetings',
  alsoCalled: 'invitations proactive campaigns',
  definition:
    'As the source reports them: greetings shown, by when they were shown; chats that came from a greeting, by their ' +
    'start; goals of those chats, by when they were reached.',
  kind: 'R',
  recipe: recipes.greetings,
  changedBy: ['engagement', 'goals'],
  checks: [
    {
      table: 'greetings',
      recomputed: engagement.id,
      numbers: [{ measure: 'chats_from_auto_invite', column: 'accepted', digits: null }],
      splits: ['account', 'group'],
      grains: daysAndHours,
    },
  ],
  reported: {
    table: 'greetings',
    splits: ['group'],
    parts: { shown: sum('r.displayed'), taken_up: sum('r.accepted'), reached: sum('r.goals') },
  },
  measures: {
    displayed: number('Greetings shown', 'greetings', 'shown'),
    accepted: number('Chats from a greeting', 'chats', 'taken_up'),
    goals: number('Goals of those chats', 'goals', 'reached'),
  },
});
