// Cells as they were last compared: counted by reason, metric and day, the worst of them first.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row, Value } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { firstPage, type Page } from '#warehouse/read/page.ts';
import { countCompared, listCompared } from '#warehouse/read/reconciliation.ts';
import { reasons, type DifferenceReason } from './cell.ts';
import { checks, confirmedMeasures } from './checks.ts';
import type { ByReason } from './summary.ts';

interface RecordedCells {
  from: string;
  to: string;
  cells: number;
  by_reason: ByReason;
  by_metric: Record<string, ByReason>;
  /** Measures that the comparison covers, by metric. */
  confirmed: Record<string, string[]>;
  by_day: (ByReason & { day: string })[];
  rows: Row[];
  unexplained: Row[];
}

/** From the worst to the best. */
const worstFirst: readonly DifferenceReason[] = [
  'unexplained',
  'edge',
  'agent_removed',
  'changed_after',
  'capped',
  'rounding',
  'settling',
  'not_pulled',
  'equal',
];

/** What compared cells can be narrowed by, with everything that may be said of each. */
export const cellFilters = {
  metric: [...new Set(checks.map(({ metric }) => metric))],
  reason: reasons,
  split: ['account', 'group', 'agent'],
  grain: ['day', 'hour'],
} as const satisfies Record<string, readonly string[]>;
export type CellFilter = keyof typeof cellFilters;

const mostUnexplained = 1000;

export interface WantedCells {
  /** Local days, both included; by default the 30 days up to today, in the account's zone. */
  from?: string | undefined;
  to?: string | undefined;
  filters?: Partial<Record<CellFilter, readonly string[]>>;
  page?: Page;
}

/** Errors: Refused. */
export async function recordedCells(
  { to, from, filters = {}, page = firstPage }: WantedCells,
  { snapshot, account, now }: QueryContext,
): Promise<RecordedCells> {
  const { engine } = snapshot;
  const last = to ?? localDate(account.timezone, now);
  const wanted = { account: account.id, from: from ?? dateOf(dayNumber(last) - 29), to: last, filters };
  if (wanted.from > last) throw new Refused('from', `from=${wanted.from} is after to=${last}`);
  const counts = await countCompared(engine, wanted);
  const rows = await listCompared(engine, wanted, worstFirst, page);
  const isWanted = filters.reason?.includes('unexplained') ?? true;
  const worst = { ...wanted, filters: { ...filters, reason: ['unexplained'] } };
  const unexplained = isWanted
    ? await listCompared(engine, worst, worstFirst, { limit: mostUnexplained, offset: 0 })
    : [];
  return {
    from: wanted.from,
    to: wanted.to,
    cells: counts.reduce((sum, row) => sum + Number(row.cells), 0),
    by_reason: byReason(counts),
    by_metric: Object.fromEntries(
      [...Map.groupBy(counts, (row) => String(row.metric))].map(([metric, own]) => [metric, byReason(own)]),
    ),
    by_day: [...Map.groupBy(counts, (row: { on_day?: Value }) => String(row.on_day))].map(([day, own]) => ({
      day,
      ...byReason(own),
    })),
    rows,
    unexplained,
    confirmed: confirmedMeasures(),
  };
}

function byReason(counts: readonly Row[]): ByReason {
  const sums: ByReason = {};
  for (const reason of reasons) {
    const sum = counts.filter((row) => row.reason === reason).reduce((cells, row) => cells + Number(row.cells), 0);
    if (sum > 0) sums[reason] = sum;
  }
  return sums;
}
