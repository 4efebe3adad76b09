// How long tickets took to be solved.
import { mean, number, over, reportMetric, sum } from '../metric.ts';

export const ticketResolutionTime = reportMetric({
  id: 'ticket_resolution_time',
  title: 'Ticket resolution time',
  definition:
    'Hours from the creation of a ticket to its last solution, by the time solved, as the source reports them. Over ' +
    'several days the mean is weighted by count, never averaged.',
  kind: 'R',
  reported: {
    table: 'ticket_resolution_time',
    splits: ['agent', 'group'],
    parts: { solved: sum('r."count"'), total_hours: sum('r."count" * r.hours') },
  },
  measures: {
    count: number('Solved tickets', 'tickets', 'solved'),
    hours: mean('Mean', 'hours', over('total_hours', 'solved')),
  },
});
