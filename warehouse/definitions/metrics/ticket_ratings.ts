// How tickets were rated.
import { number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const ticketRatings = reportMetric({
  id: 'ticket_ratings',
  title: 'Ticket ratings',
  definition: 'Rated tickets by the time of the rating, as the source reports them; the agent is the assignee.',
  kind: 'R',
  recipe: recipes.ticketRatings,
  reported: {
    table: 'ticket_ratings',
    splits: ['agent', 'group'],
    parts: { rated_good: sum('r.good'), rated_bad: sum('r.bad') },
  },
  measures: {
    good: number('Rated good', 'tickets', 'rated_good'),
    bad: number('Rated bad', 'tickets', 'rated_bad'),
  },
});
