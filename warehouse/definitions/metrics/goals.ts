// Goals reached and sales tracked.
import { counts, daysAndHours, everybody, rounded } from '../check.ts';
import { chatMetric, count, number } from '../metric.ts';
import * as recipes from '../recipes/goals.ts';
import { sale } from '../sale.ts';

export const goals = chatMetric({
  id: 'goals',
  title: 'Goals and sales',
  alsoCalled: 'conversion conversions achieved revenue money orders income turnover',
  definition:
    "By the record's own time. goals: records that are not tracked sales; sales_count: tracked sales with a price above 0 " +
    'and a currency; value: the sum of their prices, in one currency: nothing is ever converted or added across ' +
    'currencies. A currency in the question narrows sales_count and value only.',
  kind: 'A+R',
  recipe: recipes.goals,
  changedBy: ['goals'],
  checks: [
    {
      table: 'goals',
      where: "sales_tracker = 0 and currency = ''",
      numbers: counts('goals'),
      splits: everybody,
      grains: daysAndHours,
    },
    {
      table: 'goals',
      where: "sales_tracker = 1 and currency <> ''",
      by: 'currency',
      numbers: [...counts('sales_count'), rounded('value', 2)],
      splits: everybody,
      grains: daysAndHours,
    },
  ],
  splits: ['agent', 'group', 'tag', 'variable', 'goal', 'currency', 'weekday', 'hour_of_day'],
  filters: ['group', 'agent', 'tag', 'variable', 'goal', 'currency'],
  archived: {
    rows: 'goals',
    agent: 'took_part',
    sale,
    parts: {
      reached: count('not g.is_sale_tracker'),
      sold: count(`${sale} and :in_currency`),
      turnover: { sql: `sum(g.price) filter (where ${sale} and :in_currency)`, merge: 'sum' },
    },
  },
  measures: {
    goals: number('Goals', 'goals', 'reached'),
    sales_count: number('Sales', 'sales', 'sold'),
    // A sum, not a mean: zero without sales.
    value: number('Turnover', 'money', 'coalesce(turnover, 0)'),
  },
  withheld: (split, filters) => ({
    ...(split.includes('currency') ? { goals: 'goals have no currency: ask without split=currency' } : {}),
    ...(split.includes('currency') || filters.currency?.length === 1 ? {} : { value: 'ask with split=currency' }),
  }),
});
