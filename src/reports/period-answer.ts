// Builds the answer of a report keyed by period from the rows of a metric.
import type { Each, Grouping, ReportArgs, ReportId } from '#contract/reports.ts';
import type { Row } from '#warehouse/engine.ts';

/** What one period needs besides its row. */
interface ReportContext {
  args: ReportArgs;
  grouping: Grouping;
  /** `begin` and `end`, for month grouping. */
  months: { begin?: string; end?: string };
  /** Rows of the same period, one per currency. */
  currencies: readonly Row[];
}

export interface ReportShape<K extends ReportId> {
  /** The metric is also queried by currency. */
  byCurrency?: true;
  /** Pure. The row is empty where nothing can be known: before the first pulled day, and in the future. */
  each: (row: Row, around: ReportContext) => Each<K>;
}
