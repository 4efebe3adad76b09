// Agents by the ratings of their tickets, in the vendor's own order.
import { mean, number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';
import { byScore, rankingScore, rankingScoreSql } from '../wilson.ts';

export const ticketRanking = reportMetric({
  id: 'ticket_ranking',
  title: 'Agent ranking by tickets',
  definition:
    'Per assignee of rated tickets, by the time of the rating: good and bad ratings as the source ranks them day by day, ' +
    'added up, and scored again. Agents without ratings are left out; the highest score comes first.',
  kind: 'R',
  recipe: recipes.ticketRanking,
  always: ['agent'],
  sparse: true,
  splits: ['agent'],
  filters: ['group'],
  grains: ['day', 'week', 'month', 'total'],
  reported: {
    table: 'ticket_ranking',
    splits: ['group'],
    own: { agent: 'r.agent' },
    parts: { rated_good: sum('r.good'), rated_bad: sum('r.bad') },
  },
  measures: {
    good: number('Rated good', 'tickets', 'rated_good'),
    bad: number('Rated bad', 'tickets', 'rated_bad'),
    total: number('Rated', 'tickets', 'rated_good + rated_bad'),
    score: mean('Score', 'score', rankingScoreSql('rated_good', 'rated_bad')),
  },
  finish: { score: ({ good, bad }) => rankingScore(Number(good), Number(bad)) },
  sort: byScore,
});
