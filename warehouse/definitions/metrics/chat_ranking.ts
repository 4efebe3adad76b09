// Agents by the ratings of their chats, in the vendor's own order.
import { counts } from '../check.ts';
import { chatMetric, count, mean, number } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';
import { byScore, rankingScore, rankingScoreSql } from '../wilson.ts';

export const chatRanking = chatMetric({
  id: 'chat_ranking',
  title: 'Agent ranking',
  alsoCalled: 'csat ranking score best agents',
  definition:
    'Per agent who took part in rated chats: good and bad ratings, their sum, and the score of the source, which puts ' +
    'many good ratings before a few. Agents without ratings are left out; the highest score comes first.',
  kind: 'A+R',
  recipe: recipes.chatRanking,
  changedBy: ['rating', 'agents'],
  checks: [
    {
      table: 'chat_ranking',
      numbers: counts('good', 'bad', 'total', 'score'),
      splits: ['account', 'group'],
      grains: ['day'],
      isRanking: true,
    },
  ],
  always: ['agent'],
  sparse: true,
  splits: ['agent'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    where: "c.rate in ('rated_good', 'rated_bad')",
    parts: { rated_good: count("c.rate = 'rated_good'"), rated_bad: count("c.rate = 'rated_bad'") },
  },
  measures: {
    good: number('Rated good', 'chats', 'rated_good'),
    bad: number('Rated bad', 'chats', 'rated_bad'),
    total: number('Rated', 'chats', 'rated_good + rated_bad'),
    score: mean('Score', 'score', rankingScoreSql('rated_good', 'rated_bad')),
  },
  finish: { score: ({ good, bad }) => rankingScore(Number(good), Number(bad)) },
  sort: byScore,
});
