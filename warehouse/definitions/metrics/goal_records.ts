// All records of goals and sales, as a report counts them. Not listed: it exists for answers in the vendor's shape.
import { chatMetric, count, mean, number, type MeasurePart } from '../metric.ts';
import * as recipes from '../recipes/goals.ts';
import { priced } from '../sale.ts';

const isSale = 'g.is_sale_tracker';
const isGoal = 'not g.is_sale_tracker';
const ofPrice = (which: string): MeasurePart => count(`${which} and ${priced} and :in_currency`);
const worth = (which: string): MeasurePart => ({
  sql: `sum(g.price) filter (where ${which} and ${priced} and :in_currency)`,
  merge: 'sum',
});
const noCurrency = 'not every record has a currency: ask without split=currency';

export const goalRecords = chatMetric({
  id: 'goal_records',
  title: 'Records of goals and sales',
  definition:
    'As the report counts them, for tracked sales and for all other goals: records, those of them with a price above 0 ' +
    'and a currency, and the sum of these prices in one currency.',
  kind: 'A',
  recipe: recipes.goalRecords,
  answers: 'goals',
  splits: ['currency'],
  filters: ['group', 'agent', 'tag', 'variable', 'goal', 'currency'],
  archived: {
    rows: 'goals',
    agent: 'took_part',
    sale: priced,
    parts: {
      reached: count(isGoal),
      reached_priced: ofPrice(isGoal),
      reached_worth: worth(isGoal),
      tracked: count(isSale),
      tracked_priced: ofPrice(isSale),
      tracked_worth: worth(isSale),
    },
  },
  measures: {
    goals: number('Goals', 'goals', 'reached'),
    goals_priced: number('Goals with a price', 'goals', 'reached_priced'),
    goals_value: mean('Sum of their prices', 'money', 'reached_worth'),
    sales: number('Tracked sales', 'sales', 'tracked'),
    sales_priced: number('Tracked sales with a price', 'sales', 'tracked_priced'),
    sales_value: mean('Sum of their prices', 'money', 'tracked_worth'),
  },
  withheld: (split, filters) => ({
    ...(split.includes('currency') ? { goals: noCurrency, sales: noCurrency } : {}),
    ...(split.includes('currency') || filters.currency?.length === 1
      ? {}
      : { goals_value: 'ask with split=currency', sales_value: 'ask with split=currency' }),
  }),
});
