// Stored answers of the source that belong to one cell, for the metrics that are added up from them.
import { parameters } from '../query/bind.ts';
import type { Queryable, Row } from '../engine.ts';
import type { MetricDefinition, ReportedSource } from '../definitions/metric.ts';
import { slots, type Slot } from '../periods.ts';
import { membersIn, storedFor } from '../query/reported.ts';
import { tableOf } from '../tables/tables.ts';
import type { ReceiptCell } from './cell.ts';

const passing = ['account', 'timezone', 'grain', 'day'];

/** Stored day or hour labels of the cell; true marks those before it, for an accumulated number. */
function labelsOf(metric: MetricDefinition, cell: ReceiptCell, grain: 'day' | 'hour'): Map<string, boolean> {
  const { ask } = cell.sources;
  const labels = new Map<string, boolean>();
  const days = new Map<string, Slot | undefined>();
  const coarse = ask.grain === 'hour' ? 'day' : ask.grain;
  for (const { period: label = '' } of slots(ask.timezone, ask.from, ask.to, grain, [])) {
    const day = label.slice(0, 10);
    if (!days.has(day)) days.set(day, [...slots(ask.timezone, day, day, coarse, ['weekday'])][0]);
    const period = ask.grain === 'hour' ? label : (days.get(day)?.period ?? null);
    const { weekday, hour_of_day } = cell.at;
    if (weekday !== undefined && weekday !== days.get(day)?.weekday) continue;
    if (hour_of_day !== undefined && hour_of_day !== label.slice(11, 13)) continue;
    if (period === cell.period) labels.set(label, false);
    else if (metric.running && cell.period !== null && (period ?? '') < cell.period) labels.set(label, true);
  }
  return labels;
}

async function rowsOfTable(
  engine: Queryable,
  table: string,
  reported: ReportedSource,
  cell: ReceiptCell,
): Promise<Row[]> {
  const { ask } = cell.sources;
  const { grain, split, values } = storedFor(ask, reported);
  const bind = parameters(engine.dialect);
  const columns = Object.keys(tableOf('reports', table).columns).filter((name) => !passing.includes(name));
  const at = split === 'account' ? undefined : cell.at[split];
  const whose = at === undefined ? values : values && !values.includes(String(at)) ? [] : [String(at)];
  if (whose?.length === 0) return [];
  const where = [
    `r.account = ${bind.value('account', ask.account, 'text')}`,
    `r.timezone = ${bind.value('timezone', ask.timezone, 'text')}`,
    `r.grain = ${bind.value('stored_grain', grain, 'text')}`,
    `r.split = ${bind.value('stored_split', split, 'text')}`,
    ...(whose ? [`r.split_value in (${bind.list('stored_value', whose, 'text')})`] : []),
    `r.day >= cast(${bind.value('from_day', ask.from, 'date')} as date)`,
    `r.day <= cast(${bind.value('to_day', ask.to, 'date')} as date)`,
    ...Object.entries(reported.own ?? {}).map(
      ([name, sql]) => `${sql} = ${bind.value(`own_${name}`, String(cell.at[name as 'agent'] ?? ''), 'text')}`,
    ),
    ...(reported.where ? [reported.where] : []),
    ...membersIn(reported, split, ask, bind),
  ];
  return engine.query(
    `select ${columns.map((name) => `r."${name}"`).join(', ')}\nfrom reports.${table} as r\n` +
      `where ${where.join('\n  and ')}\norder by r.period, r.split_value`,
    bind.params,
  );
}

/** In order of time; `is_before` marks rows that only an accumulated number has. Columns of the tables as they are. */
export async function storedRows(engine: Queryable, metric: MetricDefinition, cell: ReceiptCell): Promise<Row[]> {
  const { reported } = metric;
  if (!reported || !cell.sources.can.includes('reported')) return [];
  const { grain } = storedFor(cell.sources.ask, reported);
  const labels = labelsOf(metric, cell, grain);
  const rows: Row[] = [];
  for (const table of [reported.table, ...(reported.beside ? [reported.beside] : [])])
    for (const row of await rowsOfTable(engine, table, reported, cell)) {
      const isBefore = labels.get(String(row.period));
      if (isBefore !== undefined) rows.push(isBefore ? { ...row, is_before: true } : row);
    }
  return rows;
}
