// How long tickets took to be solved.
import { fractionsOver, mean, number, reportMetric, sum, sumOfFractions } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const ticketResolutionTime = reportMetric({
  id: 'ticket_resolution_time',
  title: 'Ticket resolution time',
  definition:
    'Hours from the creation of a ticket to its last solution, by the time solved, as the source reports them. Over ' +
    'several days the mean is weighted by count, never averaged.',
  kind: 'R',
  recipe: recipes.ticketResolutionTime,
  reported: {
    table: 'ticket_resolution_time',
    splits: ['agent', 'group'],
    parts: { solved: sum('r."count"'), total_hours: sumOfFractions('r."count" * r.hours') },
  },
  measures: {
    count: number('Solved tickets', 'tickets', 'solved'),
    hours: mean('Mean', 'hours', fractionsOver('total_hours', 'solved')),
  },
});
