// How many tickets came in.
import { number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const newTickets = reportMetric({
  id: 'new_tickets',
  title: 'New tickets',
  alsoCalled: 'backlog inbox email tickets',
  definition: 'Tickets by the time of their creation, as the source reports them.',
  kind: 'R',
  recipe: recipes.newTickets,
  reported: { table: 'new_tickets', splits: ['group'], parts: { created: sum('r.new_tickets') } },
  measures: { new_tickets: number('New tickets', 'tickets', 'created') },
});
