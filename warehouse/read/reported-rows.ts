// Rows of the schema `reports`: the source's answers as stored.
import { parameters } from '../query/bind.ts';
import type { QueryContext } from '../query/context.ts';
import type { Queryable, Row } from '../engine.ts';
import type { DayRange } from './pulled-days.ts';
import { placeConditions, type ReportPlace } from './reconciliation.ts';

/** A table of the schema, and a condition on its rows where it holds several kinds of them. */
interface ReportRows {
  table: string;
  where?: string | undefined;
}

/** All rows of a split over local days, with all columns. */
export async function reportedRows(
  { snapshot, account }: QueryContext,
  { table, where }: ReportRows,
  { grain, split, timezone, from, to }: DayRange & { grain: string; split: string; timezone: string },
): Promise<Row[]> {
  const { param } = snapshot.engine.dialect;
  return snapshot.engine.query(
    `select *
     from reports.${table}
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and grain = ${param('grain', 'text')}
       and split = ${param('split', 'text')}
       and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)
       ${where ? `and ${where}` : ''}`,
    { account: account.id, timezone, grain, split, from, to },
  );
}

/** One number of one row: `value`, `pulled_at`, `pull_id`. `own`: the currency or agent that the row is of. */
export async function reportedNumber(
  engine: Queryable,
  { table, where }: ReportRows,
  column: string,
  place: ReportPlace,
  own: { column: string; value: string } | null,
): Promise<Row | undefined> {
  const bind = parameters(engine.dialect);
  const conditions = [
    ...placeConditions(place, bind),
    ...(where ? [where] : []),
    ...(own ? [`${own.column} = ${bind.value('own', own.value, 'text')}`] : []),
  ];
  const [row] = await engine.query(
    `select "${column}" as value, pulled_at, pull_id\nfrom reports.${table}\nwhere ${conditions.join('\n  and ')}`,
    bind.params,
  );
  return row;
}
