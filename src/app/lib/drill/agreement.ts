// Whether the numbers of a panel agree with the vendor's report: counted once per page, summarized per panel.
import type { Metric } from '#api/contract/metrics.ts';
import type { CellCounts, Reconciliation } from '#api/contract/reconciliation.ts';
import { call } from '#lib/api.ts';
import { markWords } from './mark-words.ts';

/** What was compared; a percentile is never among the confirmed measures, although its mean is. */
export type Agreement = Pick<Reconciliation, 'by_metric' | 'confirmed'>;

export interface Mark {
  kind: 'agrees' | 'settling' | 'differs' | 'none';
  text: string;
}

/** Undefined when the reconciliation cannot be read, so that it never delays a page. */
export async function readAgreement(
  fetch: typeof globalThis.fetch,
  account: string,
  { from, to }: { from: string; to: string },
): Promise<Agreement | null> {
  const found = await call(fetch, 'GET /reconciliation', { query: { account, from, to, limit: '1' } });
  if (found.kind !== 'answered') return null;
  const { by_metric, confirmed } = found.answer;
  return { by_metric, confirmed };
}

/** Cells that could be compared, and how many of them agree. */
export function countsOf(by: CellCounts): { complete: number; agree: number; waiting: number } {
  const all = Object.values(by).reduce((sum, count) => sum + count, 0);
  const waiting = (by.settling ?? 0) + (by.not_pulled ?? 0);
  return { complete: all - waiting, agree: (by.equal ?? 0) + (by.rounding ?? 0), waiting };
}

/**
 * The mark of a panel with these measures: it agrees only if each of them is compared. Cells use one zone and are not split by tag or
 * variable, which the text mentions where it matters.
 */
export function markOf(
  metric: Metric,
  shown: readonly string[],
  agreement: Agreement,
  asked: { isOtherZone: boolean; hasTag: boolean; hasVariable: boolean },
): Mark {
  const by = agreement.by_metric[metric.id];
  if (!by) return { kind: 'none', text: metric.kind === 'R' ? markWords.asReported : markWords.archiveOnly };
  const confirmed = agreement.confirmed[metric.id] ?? [];
  if (!shown.every((measure) => confirmed.includes(measure))) return { kind: 'none', text: markWords.notAll };
  if (asked.isOtherZone) return { kind: 'none', text: markWords.otherZone };
  if (asked.hasTag) return { kind: 'none', text: markWords.byTag };
  if (asked.hasVariable) return { kind: 'none', text: markWords.byVariable };
  const { complete, agree, waiting } = countsOf(by);
  if (complete === 0)
    return { kind: waiting ? 'settling' : 'none', text: waiting ? markWords.settling : markWords.none };
  if (agree < complete) return { kind: 'differs', text: markWords.differs(complete - agree, complete) };
  return { kind: 'agrees', text: by.rounding ? markWords.rounding : markWords.agrees };
}
