// How long agents were accepting chats.
import { fractions, number, reportMetric, sumOfFractions } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const availability = reportMetric({
  id: 'availability',
  title: 'Availability',
  alsoCalled: 'online logged in schedule staffing shifts accepting',
  definition:
    'Hours in which at least one current member of the asked set was accepting chats, as the source reports them. ' +
    'Group 0 is all agents. By agent, a group narrows to its current members.',
  kind: 'R',
  recipe: recipes.availability,
  teamFigure: { measure: 'hours', isSum: true },
  reported: {
    table: 'availability',
    splits: ['agent', 'group'],
    isOfMembers: true,
    parts: { available: sumOfFractions('r.hours') },
  },
  measures: { hours: number('Hours accepting chats', 'hours', fractions('available')) },
});
