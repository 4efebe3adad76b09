// How long chats lasted.
import { chatMetric, mean, over, quantile, sum, count } from '../metric.ts';
import * as recipes from '../recipes/chats.ts';

export const chatDuration = chatMetric({
  id: 'chat_duration',
  title: 'Chat duration',
  alsoCalled: 'aht handle handling time length session long',
  definition: 'Per chat: from its start to its end. The mean is over chats, never over days.',
  kind: 'A',
  recipe: recipes.chatDuration,
  changedBy: [],
  ownFigures: { duration: { measure: 'p50' } },
  chatColumn: 'duration_seconds',
  archived: {
    rows: 'chats',
    agent: 'took_part',
    parts: {
      all_chats: count(),
      total_seconds: sum('c.duration_seconds'),
      q50: quantile('c.duration_seconds', 0.5),
      q90: quantile('c.duration_seconds', 0.9),
    },
  },
  measures: {
    seconds: mean('Mean', 'seconds', over('total_seconds', 'all_chats')),
    p50: mean('Median', 'seconds', 'q50'),
    p90: mean('90th percentile', 'seconds', 'q90'),
  },
});
