// Goals that visitors reach.
import type { ChatGoal, GoalRecord } from './records.ts';

/** A goal at the moment at which a chat's visitor reached it. */
export function reachedGoal(
  { id, name, type, details }: GoalRecord,
  args: Record<string, unknown>,
  at: number,
): ChatGoal {
  const { order_id, order_description, order_price, order_currency } = args as Record<string, string | undefined>;
  const is_sale = type === 'sales_tracker';
  const standard = (field: string): string => (is_sale ? String(details[field] ?? '') : '');
  return {
    ...{ id, name, ...(is_sale && { type: 'sales_tracker' as const }), at },
    order: {
      id: order_id ?? '',
      description: order_description ?? '',
      price: order_price ?? (standard('value') || '0'),
      currency: order_currency ?? standard('currency'),
    },
  };
}
