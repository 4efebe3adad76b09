// Whether the numbers of a panel agree with the vendor's report: counted once per page, said in a few words per panel.
import type { Metric } from '#lib/api.ts';
import { words } from '#lib/words.ts';

export type ByReason = Record<string, number>;

export interface Agreement {
  by_metric: Record<string, ByReason>;
  /** Measures that the comparison covers, by metric; a percentile is not, though its mean is. */
  confirmed: Record<string, string[]>;
}

export interface Mark {
  kind: 'agrees' | 'settling' | 'differs' | 'none';
  text: string;
}

/** Nothing when the reconciliation cannot be read: a page is not held up by it. */
export async function readAgreement(
  fetch: typeof globalThis.fetch,
  account: string,
  { from, to }: { from: string; to: string },
): Promise<Agreement | null> {
  try {
    const response = await fetch(`/api/reconciliation?${new URLSearchParams({ account, from, to, limit: '1' })}`);
    if (!response.ok) return null;
    const body = (await response.json()) as Partial<Agreement>;
    const { by_metric, confirmed } = body;
    return by_metric && confirmed ? { by_metric, confirmed } : null;
  } catch {
    return null;
  }
}

/** Cells that could be compared, and those of them that agree. */
export function countsOf(by: ByReason): { complete: number; agree: number; waiting: number } {
  const all = Object.values(by).reduce((sum, count) => sum + count, 0);
  const waiting = (by['settling'] ?? 0) + (by['not_pulled'] ?? 0);
  return { complete: all - waiting, agree: (by['equal'] ?? 0) + (by['rounding'] ?? 0), waiting };
}

/** The mark of a panel that shows these measures: it agrees only if each of them is compared. The cells stand in one zone and are not divided by tag, which is said where it matters. */
export function markOf(
  metric: Metric,
  shown: readonly string[],
  agreement: Agreement,
  asked: { isOtherZone: boolean; hasTag: boolean },
): Mark {
  const by = agreement.by_metric[metric.id];
  if (!by) return { kind: 'none', text: metric.kind === 'R' ? words.mark.asReported : words.mark.archiveOnly };
  const confirmed = agreement.confirmed[metric.id] ?? [];
  if (!shown.every((measure) => confirmed.includes(measure))) return { kind: 'none', text: words.mark.notAll };
  if (asked.isOtherZone) return { kind: 'none', text: words.mark.otherZone };
  if (asked.hasTag) return { kind: 'none', text: words.mark.byTag };
  const { complete, agree, waiting } = countsOf(by);
  if (complete === 0)
    return { kind: waiting ? 'settling' : 'none', text: waiting ? words.mark.settling : words.mark.none };
  if (agree < complete) return { kind: 'differs', text: words.mark.differs(complete - agree, complete) };
  return { kind: 'agrees', text: by['rounding'] ? words.mark.rounding : words.mark.agrees };
}
