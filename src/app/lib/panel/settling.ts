// The first day of a page with numbers that may still change.
import { isUnsettled } from '#dashboards/answer.ts';
import type { AskedPanel } from '#lib/panels.ts';

/** Looks at answers that have arrived and have days; undefined when every one of them is final. */
export function settlingFrom(asked: AskedPanel[]): string | undefined {
  const days: string[] = [];
  for (const { outcomes } of asked) {
    if (outcomes instanceof Promise) continue;
    for (const outcome of outcomes) {
      if (outcome.kind !== 'answered') continue;
      const first = outcome.answer.rows
        .find((row) => row.period !== undefined && isUnsettled(row))
        ?.period?.slice(0, 10);
      if (first && /^\d{4}-\d{2}-\d{2}$/.test(first)) days.push(first);
    }
  }
  return days.sort()[0];
}
