// How the answer of a report keyed by period is read from the rows of a metric.
import type { Each, Grouping, ReportArgs, ReportId } from '#contract/reports.ts';
import type { Row } from '#warehouse/engine.ts';

/** What one period is made of besides its row. */
interface ReportContext {
  args: ReportArgs;
  grouping: Grouping;
  /** `begin` and `end`, at month grouping. */
  months: { begin?: string; end?: string };
  /** Rows of the same period, one for each currency. */
  currencies: readonly Row[];
}

export interface ReportShape<K extends ReportId> {
  /** The metric is asked by currency as well. */
  byCurrency?: true;
  /** Pure. The row is empty where nothing can be known: before the first day pulled, and in the future. */
  each: (row: Row, around: ReportContext) => Each<K>;
}
