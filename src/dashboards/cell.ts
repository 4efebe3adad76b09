// One number on a dashboard, and the question that asks for its receipt; no other file builds that question.
import type { Figure, AnswerRow } from './answer.ts';
import { narrowings } from './panel-queries.ts';
import type { Grain, Panel } from './panel.ts';
import { columnOf } from './variables.ts';

/** A measure of a metric at one period and one value of each split; without a period it covers the whole range. */
export interface Cell {
  metric: string;
  measure: string;
  /** Whether it counts events within the target of its question. */
  isWithin?: true;
  grain: 'asked' | 'total' | 'hour';
  period?: string;
  /** Its dates, where they differ from those of the page. */
  from?: string;
  to?: string;
  /** Keyed by split; an empty value selects rows without one, such as chats without a tag. */
  at: Record<string, string>;
}

/** The question of the page, with all defaults filled in. */
export interface CellQuestion {
  /** Null or missing: the first account. */
  account?: string | null;
  from: string;
  to: string;
  timezone: string;
  grain: Grain;
  group: string[];
  agent: string[];
  tag: string[];
  variable: string[];
  /** Seconds, for metrics measured against a target. */
  target?: number;
}

/** The cell behind a row of a panel's answer; undefined where there is no number to explain. */
export function cellOf(
  panel: Pick<Panel, 'metric' | 'split' | 'grain' | 'isWithin'>,
  measure: { measure: string; metric?: string },
  row: AnswerRow | undefined,
  it: Figure,
): Cell | undefined {
  if (!row || it.kind !== 'number') return undefined;
  return {
    metric: measure.metric ?? panel.metric,
    measure: measure.measure,
    ...(panel.isWithin && measure.metric === undefined ? { isWithin: true } : {}),
    ...timeOf(panel, row.period),
    at: Object.fromEntries((panel.split ?? []).map((split) => [split, String(row[columnOf(split)] ?? '')])),
  };
}

/** An hour is asked for on its own day, since the page's range may be too long for hours or a different one. */
function timeOf(
  { grain }: Pick<Panel, 'grain'>,
  period: string | undefined,
): Pick<Cell, 'grain' | 'period' | 'from' | 'to'> {
  if (period === undefined) return { grain: 'total' };
  const day = period.slice(0, 10);
  return grain === 'hour' ? { grain, period, from: day, to: day } : { grain: 'asked', period };
}

/** The query of `/receipt/{metric}` and `/api/receipts/{metric}`: the same question, narrowed to one cell. */
export function receiptQuery(cell: Cell, asking: CellQuestion): URLSearchParams {
  const { from = asking.from, to = asking.to } = cell;
  const grain = cell.grain === 'asked' ? asking.grain : cell.grain;
  const query = new URLSearchParams({ from, to, timezone: asking.timezone, grain });
  if (asking.account) query.set('account', asking.account);
  if (asking.target !== undefined && cell.isWithin) query.set('target', String(asking.target));
  const splits = Object.keys(cell.at);
  if (splits.length) query.set('split', splits.join(','));
  for (const kind of narrowings) for (const value of asking[kind]) query.append(kind, value);
  if (cell.period !== undefined) query.set('period', cell.period);
  for (const [split, value] of Object.entries(cell.at)) query.set(`at.${columnOf(split)}`, value);
  query.set('measure', cell.measure);
  return query;
}
