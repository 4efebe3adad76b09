// How long tickets waited for the first response.
import { fractionsOver, mean, number, reportMetric, sum, sumOfFractions } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const ticketFirstResponseTime = reportMetric({
  id: 'ticket_first_response_time',
  title: 'Ticket first response time',
  definition:
    'Hours from the creation of a ticket to its first response, by the time of the response, as the source reports them. ' +
    'Over several days the mean is weighted by count, never averaged.',
  kind: 'R',
  recipe: recipes.ticketFirstResponseTime,
  reported: {
    table: 'ticket_first_response_time',
    splits: ['agent', 'group'],
    parts: { answered: sum('r."count"'), total_hours: sumOfFractions('r."count" * r.hours') },
  },
  measures: {
    count: number('Tickets answered first', 'tickets', 'answered'),
    hours: mean('Mean', 'hours', fractionsOver('total_hours', 'answered')),
  },
});
