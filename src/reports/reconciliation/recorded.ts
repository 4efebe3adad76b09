// Cells as they were last compared: counted by reason, metric and day, the worst of them first.
import { parameters, type Bind } from '#warehouse/bind.ts';
import type { QueryContext } from '#warehouse/context.ts';
import type { Row, Value } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { firstPage, type Page } from '../receipts/page.ts';
import { reasons, type Reason } from './cell.ts';
import { checks, confirmedMeasures } from './checks.ts';
import type { ByReason } from './summary.ts';

export interface Recorded {
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
const worstFirst: readonly Reason[] = ['unexplained', 'edge', 'agent_removed', 'changed_after', 'capped', 'rounding', 'settling', 'not_pulled', 'equal']; // prettier-ignore

/** What compared cells can be narrowed by, with everything that may be said of each. */
export const cellFilters = {
  metric: [...new Set([...checks.map(({ metric }) => metric), 'chat_ranking'])],
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

interface Selected {
  account: string;
  from: string;
  to: string;
  filters: Partial<Record<CellFilter, readonly string[]>>;
  page: Page;
}

const conditions = (wanted: Selected, bind: Bind): string =>
  [
    `account = ${bind.value('account', wanted.account, 'text')}`,
    `day between cast(${bind.value('from', wanted.from, 'text')} as date) and cast(${bind.value('to', wanted.to, 'text')} as date)`,
    ...Object.entries(wanted.filters).map(([name, values]) => `${name} in (${bind.list(name, values, 'text')})`),
  ].join('\n  and ');

const columns = 'metric, timezone, grain, split, split_value, period, measure, reported, recomputed, difference, reason, checked_at'; // prettier-ignore
const rank = `case reason ${worstFirst.map((reason, at) => `when '${reason}' then ${at}`).join(' ')} else ${worstFirst.length} end`;
const order = `${rank}, abs(coalesce(difference, 0)) desc, period desc, metric, grain, split, split_value`;

/** Errors: Refused. */
export async function recordedCells(
  { to, from, filters = {}, page = firstPage }: WantedCells,
  { snapshot, account, now }: QueryContext,
): Promise<Recorded> {
  const { engine } = snapshot;
  const last = to ?? localDate(account.timezone, now);
  const wanted = { account: account.id, from: from ?? dateOf(dayNumber(last) - 29), to: last, filters, page };
  if (wanted.from > last) throw new Refused('from', `from=${wanted.from} is after to=${last}`);
  const select = async (sql: (where: string) => string, among: Selected = wanted): Promise<Row[]> => {
    const bind = parameters(engine.dialect);
    return engine.query(sql(conditions(among, bind)), bind.params);
  };
  const counts = await select(
    (where) =>
      'select metric, cast(day as varchar) as on_day, reason, count(*) as cells\n' +
      `from ledger.reconciliation\nwhere ${where}\ngroup by metric, day, reason\norder by day, metric`,
  );
  const { limit, offset } = wanted.page;
  const rows = await select(
    (where) => `select ${columns}\nfrom ledger.reconciliation\nwhere ${where}\norder by ${order}\nlimit ${limit} offset ${offset}`, // prettier-ignore
  );
  const unexplained = await select(
    (where) =>
      `select ${columns}\nfrom ledger.reconciliation\nwhere ${where}\n  and reason = 'unexplained'\norder by ${order}\nlimit ${mostUnexplained}`,
  );
  return {
    from: wanted.from,
    to: wanted.to,
    cells: counts.reduce((sum, row) => sum + Number(row.cells), 0),
    by_reason: byReason(counts),
    by_metric: Object.fromEntries([...Map.groupBy(counts, (row) => String(row.metric))].map(([metric, own]) => [metric, byReason(own)])), // prettier-ignore
    by_day: [...Map.groupBy(counts, (row: { on_day?: Value }) => String(row.on_day))].map(([day, own]) => ({ day, ...byReason(own) })), // prettier-ignore
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
