// What stands in place of a number that was refused or could not be loaded, and why.
import type { Metric } from '#api/contract/metrics.ts';
import { inTitles, type MetricOutcome } from '#lib/metric-question.ts';
import { words } from '#lib/words.ts';

interface NoNumber {
  text: string;
  kind: 'not_given';
  why: string;
}

/** Undefined for what was answered, or not asked. */
export function noNumber(outcome: MetricOutcome | undefined, metrics: readonly Metric[]): NoNumber | undefined {
  if (!outcome || outcome.kind === 'answered') return undefined;
  const text = outcome.kind === 'refused' ? words.panel.refusedTile : words.panel.failedTile;
  return { text, kind: 'not_given', why: inTitles(outcome.message, metrics) };
}
