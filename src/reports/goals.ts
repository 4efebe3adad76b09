// Reports about goals, sales and greetings; money by currency, never added across.
import { amount, whole } from './rounding.ts';
import type { ReportShape } from './period-answer.ts';

/** Counts of tracked sales or of all other goals, in total and with a price. */
const measures = {
  '0': { count: 'goals', priced: 'goals_priced', value: 'goals_value' },
  '1': { count: 'sales', priced: 'sales_priced', value: 'sales_value' },
} as const;

export const goals: ReportShape<'goals'> = {
  byCurrency: true,
  each: (row, { args, months, currencies }) => {
    const { count, priced, value } = measures[args.sales_tracker ?? '0'];
    const sold = currencies.filter((each) => whole(each[priced]) > 0);
    return {
      ...months,
      goals: whole(row[count]),
      value: Object.fromEntries(
        sold.map((each): [string, { sales_count: number; value: number }] => [
          String(each.currency),
          { sales_count: whole(each[priced]), value: amount(each[value]) },
        ]),
      ),
    };
  },
};

export const greetings: ReportShape<'greetings'> = {
  each: (row, { months }) => ({
    ...months,
    displayed: whole(row.displayed),
    accepted: whole(row.accepted),
    goals: whole(row.goals),
  }),
};
