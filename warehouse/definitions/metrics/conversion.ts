// How many chats led to a sale, and the turnover per chat.
import { chatMetric, count, mean, number, over } from '../metric.ts';
import * as recipes from '../recipes/goals.ts';
import { sale } from '../sale.ts';

const perCurrency = 'only of all chats: ask without split=currency';

export const conversion = chatMetric({
  id: 'conversion',
  title: 'Conversion',
  alsoCalled: 'rate goals revenue',
  definition:
    'Chats with at least one tracked sale (a record of a sales tracker with a price above 0 and a currency; a goal with a ' +
    'price is none), by the start of the chat, whenever the sale happened; rate is their share of all chats. ' +
    'revenue_per_chat is the turnover of those sales in one currency divided by all chats, with or without a sale. A ' +
    'currency in the question narrows which sales count.',
  kind: 'A',
  recipe: recipes.conversion,
  changedBy: ['goals'],
  splits: ['agent', 'group', 'tag', 'country', 'variable', 'currency', 'weekday', 'hour_of_day'],
  filters: ['group', 'agent', 'tag', 'country', 'variable', 'currency'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    sale,
    parts: {
      all_chats: count(),
      selling: count('sold.chat_id is not null'),
      turnover: { sql: 'coalesce(sum(sold.turnover), 0)', merge: 'sum' },
    },
  },
  measures: {
    chats_with_sale: number('Chats with a sale', 'chats', 'selling'),
    chats: number('Chats', 'chats', 'all_chats'),
    rate: mean('Share with a sale', 'share', over('selling', 'all_chats')),
    revenue_per_chat: mean('Turnover per chat', 'money', over('turnover', 'all_chats')),
  },
  withheld: (split, filters) => ({
    ...(split.includes('currency') ? { chats_with_sale: perCurrency, chats: perCurrency, rate: perCurrency } : {}),
    ...(split.includes('currency') || filters.currency?.length === 1
      ? {}
      : { revenue_per_chat: 'ask with split=currency' }),
  }),
});
