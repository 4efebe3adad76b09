// The checks that the metrics name, and which measures the reports confirm by them.
import type { MetricCheck as CheckOf } from '#warehouse/definitions/check.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';

export interface ReconciliationCheck extends CheckOf {
  /** The name under which its cells are filed: the metric's. */
  metric: string;
}

export const checks: readonly ReconciliationCheck[] = metrics.flatMap(({ id, checks: own = [] }) =>
  own.map((check) => ({ metric: id, ...check })),
);

/** For each metric the measures that the report confirms. */
export function confirmedMeasures(): Record<string, string[]> {
  const confirmed: Record<string, string[]> = {};
  for (const { metric, recomputed, numbers } of checks)
    (confirmed[metric] ??= []).push(...numbers.map(({ measure, column }) => (recomputed ? column : measure)));
  for (const { id, implied = [] } of metrics) confirmed[id]?.push(...implied);
  return confirmed;
}
