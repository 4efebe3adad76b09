// How many tickets were solved.
import { number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const solvedTickets = reportMetric({
  id: 'solved_tickets',
  title: 'Solved tickets',
  alsoCalled: 'closed resolved tickets',
  definition:
    'Tickets by the time they were solved last, as the source reports them; the agent is the assignee of the ticket.',
  kind: 'R',
  recipe: recipes.solvedTickets,
  reported: { table: 'solved_tickets', splits: ['agent', 'group'], parts: { solved: sum('r.solved_tickets') } },
  measures: { solved_tickets: number('Solved tickets', 'tickets', 'solved') },
});
