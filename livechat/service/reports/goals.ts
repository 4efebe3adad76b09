// Goals reached and sales tracked, each by its own instant; money per currency, never added across.
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { rounded } from './rounding.ts';
import { eachGoal } from './selection.ts';

/** Money is added in whole ten-thousandths, so that the order of adding cannot matter. */
const UNIT = 10_000;

export const goals: ReportHandler<'goals'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const count = periods.zeros();
  const sales = periods.labels.map(() => new Map<string, { count: number; sum: number }>());
  await eachGoal(account, args, periods, (goal, cell) => {
    if (goal.is_sale !== (args.sales_tracker === '1') || (args.goal !== undefined && goal.id !== args.goal)) return;
    count[cell]!++;
    if (goal.price === 0 || (args.currency !== undefined && goal.currency !== args.currency)) return;
    const sale = sales[cell]!.get(goal.currency) ?? { count: 0, sum: 0 };
    sales[cell]!.set(goal.currency, { count: sale.count + 1, sum: sale.sum + goal.price });
  });
  return periods.fill((cell) => ({
    ...periods.clip(cell),
    goals: count[cell]!,
    value: Object.fromEntries(
      [...sales[cell]!]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, sale]) => [currency, { sales_count: sale.count, value: rounded(sale.sum / UNIT, 2) }]),
    ),
  }));
};
