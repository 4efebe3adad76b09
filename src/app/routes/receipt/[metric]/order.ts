// The order in which a receipt lists its chats.
import type { Metric } from '#api/contract/metrics.ts';

const orders = ['started', 'largest', 'smallest'] as const;
export type ListOrder = (typeof orders)[number];

/** As in the address; by default the slowest first for durations, which is what readers look for, and by start for everything else. */
export function orderOf(query: URLSearchParams, metric: Metric | undefined): ListOrder {
  const chosen = orders.find((it) => it === query.get('order'));
  if (chosen) return chosen;
  const measure = query.get('measure') ?? Object.keys(metric?.measures ?? {})[0] ?? '';
  const unit = metric?.measures[measure]?.unit;
  return unit === 'seconds' ? 'largest' : 'started';
}
