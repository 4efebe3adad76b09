// How visitors rated their chats.
import { counts, daysAndHours, everybody } from '../check.ts';
import { chatMetric, count, mean, number, over } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';
import { wilson, wilsonSql } from '../wilson.ts';

export const chatRatings = chatMetric({
  id: 'chat_ratings',
  title: 'Chat ratings',
  alsoCalled: 'csat satisfaction happiness feedback score survey ratings thumbs',
  definition:
    'Chats by their last rating. chats is all chats of the period, rated or not; rated = good + bad; csat = good / rated ' +
    'with its 95% Wilson interval; response_rate = rated / chats.',
  kind: 'A+R',
  recipe: recipes.chatRatings,
  changedBy: ['rating'],
  judged: { kind: 'satisfaction', measure: 'csat', basis: { measure: 'rated' } },
  ownFigures: { satisfaction: { measure: 'csat', basis: 'rated' }, chats: { measure: 'chats' } },
  outcomes: { satisfaction: 'csat', response_rate: 'response_rate' },
  teamFigure: { measure: 'csat', basis: 'rated' },
  checks: [{ table: 'chat_ratings', numbers: counts('good', 'bad', 'chats'), splits: everybody, grains: daysAndHours }],
  implied: ['rated', 'csat', 'csat_low', 'csat_high', 'response_rate'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    parts: {
      all_chats: count(),
      rated_good: count("c.rate = 'rated_good'"),
      rated_bad: count("c.rate = 'rated_bad'"),
    },
  },
  measures: {
    good: number('Rated good', 'chats', 'rated_good'),
    bad: number('Rated bad', 'chats', 'rated_bad'),
    chats: number('Chats', 'chats', 'all_chats'),
    rated: number('Rated', 'chats', 'rated_good + rated_bad'),
    csat: mean('Satisfaction', 'share', over('rated_good', 'rated_good + rated_bad')),
    csat_low: mean('Satisfaction, lower bound', 'share', wilsonSql('rated_good', 'rated_bad', -1)),
    csat_high: mean('Satisfaction, upper bound', 'share', wilsonSql('rated_good', 'rated_bad', 1)),
    response_rate: mean('Share rated', 'share', over('rated_good + rated_bad', 'all_chats')),
  },
  finish: {
    csat_low: ({ good, bad }) => wilson(Number(good), Number(bad))?.low ?? null,
    csat_high: ({ good, bad }) => wilson(Number(good), Number(bad))?.high ?? null,
  },
});
