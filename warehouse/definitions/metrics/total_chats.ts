// How many chats there were.
import { counts, daysAndHours, everybody } from '../check.ts';
import { chatMetric, count, number } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';

export const totalChats = chatMetric({
  id: 'total_chats',
  title: 'Chats',
  alsoCalled: 'volume conversations contacts sessions number busy',
  definition: 'Number of ended chats; a chat counts whole to the period in which it started.',
  kind: 'A+R',
  recipe: recipes.totalChats,
  changedBy: [],
  teamFigure: { measure: 'chats', isSum: true },
  checks: [{ table: 'total_chats', numbers: counts('chats'), splits: everybody, grains: daysAndHours }],
  archived: { rows: 'chats', agent: 'took_part', parts: { all_chats: count() } },
  measures: { chats: number('Chats', 'chats', 'all_chats') },
});
