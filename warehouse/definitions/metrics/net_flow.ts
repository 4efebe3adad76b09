// Whether more tickets are created than solved.
import { number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const netFlow = reportMetric({
  id: 'net_flow',
  title: 'Net flow of tickets',
  alsoCalled: 'backlog inflow outflow open tickets',
  definition:
    'New tickets minus solved ones, accumulated from zero at the start of the range: it is not a backlog. Both as the ' +
    'source reports them. After a period that was not pulled the sum is unknown.',
  kind: 'R',
  recipe: recipes.netFlow,
  splits: ['group'],
  reported: {
    table: 'new_tickets',
    beside: 'solved_tickets',
    splits: ['group'],
    parts: { created: sum('r.new_tickets'), solved: sum('r.solved_tickets') },
  },
  measures: {
    new_tickets: number('New tickets', 'tickets', 'created'),
    solved_tickets: number('Solved tickets', 'tickets', 'solved'),
    net_flow: number('New minus solved, accumulated', 'tickets', 'created - solved'),
  },
  running: ['net_flow'],
});
