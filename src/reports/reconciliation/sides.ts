// The two sides of a check, read from the warehouse: stored answers of the source, and the metric recomputed.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row } from '#warehouse/engine.ts';
import { reportedRows } from '#warehouse/read/reported-rows.ts';
import { run } from '#warehouse/query/run.ts';
import { everyChat, metricOf } from '#warehouse/definitions/metrics.ts';
import type { ReconciliationCheck } from './checks.ts';

/** Whose cells, in which zone and over which local days (both included). */
export interface ReconciledRange {
  account: string;
  timezone: string;
  from: string;
  to: string;
}

export type ReportedSplit = 'account' | 'group' | 'agent';

/** Name of a cell's place: period and split value. */
export const placeOf = (period: unknown, split_value: unknown): string =>
  `${String(period)}\u0001${String(split_value)}`;

/** Stored rows by place. */
export async function reportedSide(
  context: QueryContext,
  check: Pick<ReconciliationCheck, 'table' | 'where'>,
  split: ReportedSplit,
  grain: 'day' | 'hour',
  range: ReconciledRange,
): Promise<Map<string, Row[]>> {
  const rows = await reportedRows(context, check, { ...range, grain, split });
  return Map.groupBy(rows, (row) => placeOf(row.period, row.split_value));
}

/**
 * The states of the periods of a range by grain: those of a metric where chats begun before count in, which needs the day before too, and of
 * every other those of all chats; each is read once.
 */
export function statesOf(
  context: QueryContext,
  { from, to, timezone }: ReconciledRange,
): (grain: 'day' | 'hour', metric?: string) => Promise<Map<string, string>> {
  const known = new Map<string, Promise<Map<string, string>>>();
  const read = async (grain: 'day' | 'hour', metric: string): Promise<Map<string, string>> =>
    statesIn((await run(metric, { from, to, grain, timezone }, context)).rows);
  return (grain, metric = everyChat.id) => {
    const asked = metricOf(metric).archived?.sweep ? metric : everyChat.id;
    const found = known.get(`${grain} ${asked}`) ?? read(grain, asked);
    known.set(`${grain} ${asked}`, found);
    return found;
  };
}

const statesIn = (rows: readonly Row[]): Map<string, string> =>
  new Map(rows.map((row) => [String(row.period), String(row.state)]));

/** Recomputed rows by place, their states by period, and zeros for places without events. `states`: those of the range. */
export async function recomputedSide(
  context: QueryContext,
  check: Pick<ReconciliationCheck, 'metric' | 'recomputed' | 'by'>,
  split: ReportedSplit,
  grain: 'day' | 'hour',
  range: ReconciledRange,
  states: ReturnType<typeof statesOf>,
): Promise<{ rows: Map<string, Row[]>; states: Map<string, string> }> {
  const splits = [...(check.by ? [check.by] : []), ...(split === 'account' ? [] : [split])];
  const { from, to, timezone } = range;
  const question = { from, to, grain, timezone, split: splits };
  const metric = check.recomputed ?? check.metric;
  const { rows } = await run(metric, question, context);
  const value = (row: Row): unknown => (split === 'account' ? '' : row[split]);
  return {
    rows: Map.groupBy(rows, (row) => placeOf(row.period, value(row))),
    states: splits.length === 0 ? statesIn(rows) : await states(grain, metric),
  };
}
