// Recipes for goals and sales: the records of the chats, and their value.
import type { Row } from '../../engine.ts';
import type { MeasureRecipe, Recipe } from '../recipe.ts';
import { always, amountOf, counting, everyChat, meanOf, numberOf, sharing, sumOf, valuing } from './arithmetic.ts';

const isSale = (row: Row): boolean => row.is_sale_tracker === true;
const isPriced = (row: Row): boolean =>
  (numberOf(row, 'price') ?? 0) > 0 && row.currency !== null && row.currency !== '';
/** In a currency of the question, or of none when it names none. */
const isAsked = (row: Row): boolean => row.in_currency === true;

const goal = (row: Row): string => (row.goal_name === null ? `goal ${String(row.goal_id)}` : String(row.goal_name));
const money = (row: Row): string => amountOf(numberOf(row, 'price') ?? 0, String(row.currency));
const priceless = (row: Row): string =>
  (numberOf(row, 'price') ?? 0) > 0 ? 'without a currency' : 'without a price above 0';

/** Why a record does not count as a sale. */
function unsold(row: Row, isOfKind: boolean, kind: string, other: string): string {
  if (!isOfKind) return other;
  return isPriced(row) ? `${kind} in another currency` : `${kind} ${priceless(row)}`;
}

const worth = (kind: 'sale' | 'goal', what: string): { count: MeasureRecipe; value: MeasureRecipe } => {
  const isOfKind = (row: Row): boolean => isSale(row) === (kind === 'sale');
  const is = (row: Row): boolean => isOfKind(row) && isPriced(row) && isAsked(row);
  const other = kind === 'sale' ? 'a goal, not a tracked sale' : 'a tracked sale, not a goal';
  const otherwise = (row: Row): string => unsold(row, isOfKind(row), kind, other);
  return {
    count: counting(what, is, money, otherwise, kind === 'sale' ? 'sales' : 'goals'),
    value: {
      how: `sum of the prices of ${what}`,
      unit: 'money',
      brings: (row) =>
        is(row) ? { value: numberOf(row, 'price') ?? 0, words: money(row) } : { left_out: otherwise(row) },
      // Records without a sale are worth 0; without any record there is no value.
      total: (values, { hasRow }) => (hasRow ? sumOf(values) : null),
    },
  };
};

const sales = worth('sale', 'tracked sales of the listed chats with a price and a currency');
const priced = worth('goal', 'goals of the listed chats that carry a price');
const saleWords = (row: Row): string => (isPriced(row) ? money(row) : `sale ${priceless(row)}`);
const reached = counting(
  'goals that the listed chats reached',
  (row) => !isSale(row),
  goal,
  'a tracked sale, not a goal',
  'goals',
);
const reads = {
  position: 'g.position',
  goal_id: 'g.goal_id',
  goal_name: 'g.goal_name',
  is_sale_tracker: 'g.is_sale_tracker',
  price: 'g.price',
  currency: 'g.currency',
  in_currency: ':in_currency',
};

/** Turnover is a sum: zero without sales, even without any record. */
const turnover: MeasureRecipe = { ...sales.value, total: (values) => sumOf(values) };

export const goals: Recipe = { reads, measures: { goals: reached, sales_count: sales.count, value: turnover } };

export const goalRecords: Recipe = {
  reads,
  measures: {
    goals: reached,
    goals_priced: priced.count,
    goals_value: priced.value,
    sales: counting('tracked sales of the listed chats', isSale, saleWords, 'a goal, not a tracked sale', 'sales'),
    sales_priced: sales.count,
    sales_value: sales.value,
  },
};

const hasSale = (row: Row): boolean => row.sold !== null;
const brought = (isOne: boolean): string => (isOne ? 'a tracked sale' : 'no tracked sale');

export const conversion: Recipe = {
  reads: { sold: 'sold.chat_id', turnover: 'sold.turnover' },
  measures: {
    chats_with_sale: counting('chats with a tracked sale', hasSale, 'a tracked sale', 'no tracked sale'),
    chats: everyChat,
    rate: sharing('share of the listed chats that have a tracked sale', always, hasSale, brought),
    revenue_per_chat: valuing(
      'mean of what the listed chats brought, 0 for those without a sale',
      'money',
      (row) => numberOf(row, 'turnover') ?? 0,
      (value, row) => (hasSale(row) ? `sales of ${value}` : 'no tracked sale'),
      '',
      meanOf,
    ),
  },
};
