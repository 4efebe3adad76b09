// What the source reports for the cell of a receipt, and the reason for a difference as found by the reconciliation.
import type { Queryable, Row, Value } from '#warehouse/engine.ts';
import type { Grain } from '#warehouse/dialect.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import type { ReceiptCell } from '#warehouse/receipts/cell.ts';
import { comparedAt, zonesCompared } from '#warehouse/read/reconciliation.ts';
import { reportedNumber } from '#warehouse/read/reported-rows.ts';
import { isSameZone } from '#warehouse/zone.ts';
import { numberOf, roundedTo, type DifferenceReason } from '../reconciliation/cell.ts';
import type { CheckedNumber } from '#warehouse/definitions/check.ts';

export interface ReportedValue {
  value: number | null;
  recomputed: number | null;
  difference: number | null;
  reason: DifferenceReason;
  /** The measure that decided about the cell. */
  measure: string;
  split: string;
  split_value: string;
  timezone: string;
  pulled_at: Value;
  pull_id: Value;
}

/** The report row and column to compare with. */
interface ReportedPlace {
  table: string;
  column: CheckedNumber;
  /** Numbers that are judged together with it. */
  numbers: readonly CheckedNumber[];
  split: 'account' | 'group' | 'agent';
  split_value: string;
  /** Conditions on the stored row besides its place. */
  where?: string | undefined;
  /** The currency or agent that the row is of. */
  own: { column: 'currency' | 'agent'; value: string } | null;
}

/** The one value that a kind of filter or split leaves; undefined for none, null for several. */
function onlyValue(cell: ReceiptCell, name: 'agent' | 'group' | 'currency'): string | null | undefined {
  const at = cell.at[name];
  if (at !== undefined) return at === null ? null : String(at);
  const values = cell.ask.filters[name];
  if (!values) return undefined;
  return values.length === 1 ? String(values[0]) : null;
}

/** The period that a report may have: one day as a whole is that day. */
const periodOf = ({ ask: { grain, from, to }, period }: ReceiptCell): { grain: Grain; period: string } =>
  grain === 'total' && from === to ? { grain: 'day', period: from } : { grain, period: period ?? '' };

/** Where to find the source's number, or a sentence why there is none. */
function placeOf(metric: MetricDefinition, cell: ReceiptCell): ReportedPlace | string {
  const { ask, measure, at } = cell;
  const { grain } = periodOf(cell);
  if (ask.pool) return 'reports are of one account each: ask the receipt of one account';
  const found = metric.checks ?? [];
  if (found.length === 0 && !(metric.archived && metric.reported))
    return `${metric.title} is not compared with a report: ${metric.kind === 'A' ? 'the source has none' : 'the report is all there is'}`;
  const check = found.find(({ numbers }) =>
    numbers.some((number) => number.column === measure || number.measure === measure),
  );
  const column = check?.numbers.find((number) => number.column === measure || number.measure === measure);
  const needs = metric.measures[measure]?.needs;
  if ((!check || !column) && metric.reported && (!needs || needs.includes('reported')))
    return 'the report is part of this number: its stored rows are shown instead';
  if (!check || !column) return `the report does not give ${measure}`;
  if (grain !== 'day' && grain !== 'hour') return 'reports are compared by day and by hour: ask a day of it';
  if (!check.grains.includes(grain)) return `the report is compared by ${check.grains.join(' or ')} only`;
  const other = [...Object.keys(at), ...Object.keys(ask.filters)].find(
    (name) => !['agent', 'group', 'currency'].includes(name),
  );
  if (other !== undefined) return `the report is not pulled by ${other}`;
  const { isRanking = false } = check;
  const [agent, group, currency] = (['agent', 'group', 'currency'] as const).map((name) => onlyValue(cell, name));
  if (agent === null || group === null || currency === null) return 'the report is pulled for one value at a time';
  if (!isRanking && agent !== undefined && group !== undefined)
    return 'the report is not pulled for an agent within a group';
  const split = group !== undefined ? 'group' : agent !== undefined && !isRanking ? 'agent' : 'account';
  if (!check.splits.includes(split)) return `the report is not pulled by ${split}`;
  if (grain === 'hour' && split !== 'account') return 'by hour the report is pulled for the whole account only';
  if (check.by === 'currency' && currency === undefined) return 'the report gives it by currency: ask one currency';
  const own = isRanking
    ? { column: 'agent' as const, value: agent ?? '' }
    : check.by && currency !== undefined
      ? { column: 'currency' as const, value: currency }
      : null;
  const split_value = (split === 'group' ? group : split === 'agent' ? agent : '') ?? '';
  return { table: check.table, column, numbers: check.numbers, split, split_value, where: check.where, own };
}

/** Reasons that excuse a difference; they do not apply if this number agrees. */
const excuses: readonly DifferenceReason[] = [
  'capped',
  'changed_after',
  'agent_removed',
  'rounding',
  'edge',
  'unexplained',
];

/** The source's number, or why none can be shown. */
export async function reportedFor(
  engine: Queryable,
  metric: MetricDefinition,
  cell: ReceiptCell,
): Promise<ReportedValue | string> {
  const place = placeOf(metric, cell);
  if (typeof place === 'string') return place;
  const { account } = cell.ask;
  const zones = await zonesCompared(engine, account, metric.id);
  if (zones.length === 0) return 'nothing of this metric has been compared yet';
  const zone = zones.find((name) => isSameZone(name, cell.ask.timezone));
  if (zone === undefined) return `reports are pulled in ${zones.join(', ')}: ask in that zone`;
  const { split, split_value } = place;
  const where = { account, timezone: zone, split, split_value, ...periodOf(cell) };
  const ledger = await comparedAt(engine, metric.id, where);
  const names = [place.column.measure, `${place.column.measure}:${place.own?.value ?? ''}`];
  const own = ledger.find((row) => names.includes(String(row.measure)));
  const isDecided = (row: Row): boolean =>
    place.numbers.some((number) => String(row.measure).split(':')[0] === number.measure);
  const found = own ?? ledger.find(isDecided);
  if (!found) return 'this cell has not been compared';
  const stored = await reportedNumber(engine, place, place.column.column, where, place.own);
  const nothing = place.column.digits === null && !place.own ? 0 : null;
  const value = stored ? numberOf(stored.value) : nothing;
  const { digits } = place.column;
  const recomputed = metric.archived
    ? roundedTo(numberOf(cell.row[cell.measure]), digits)
    : own
      ? numberOf(own.recomputed)
      : null;
  const difference = value === null || recomputed === null ? null : value - recomputed;
  const reason = String(found.reason) as DifferenceReason;
  const isEqual = value === recomputed || (difference !== null && Math.abs(difference) < 1e-9);
  return {
    value,
    recomputed,
    difference,
    reason: isEqual && excuses.includes(reason) ? 'equal' : reason,
    measure: String(found.measure),
    split: place.split,
    split_value: place.split_value,
    timezone: zone,
    pulled_at: stored?.pulled_at ?? null,
    pull_id: stored?.pull_id ?? null,
  };
}
