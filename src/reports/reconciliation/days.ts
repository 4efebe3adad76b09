// The days for which a report was pulled, also those that gave no row.
import type { QueryContext } from '#warehouse/context.ts';
import type { Range, Split } from './sides.ts';

export interface PulledDay {
  day: string;
  split_value: string;
  /** Unix seconds. */
  pulled_at: number;
}

export async function daysOf(
  { snapshot }: QueryContext,
  source: string,
  split: Split,
  range: Range,
): Promise<PulledDay[]> {
  const { param } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select day, split_value, epoch(pulled_at) as pulled_at
     from ledger.periods
     where account = ${param('account', 'text')}
       and source = ${param('source', 'text')}
       and timezone = ${param('timezone', 'text')}
       and grain = 'day'
       and split = ${param('split', 'text')}
       and state = 'pulled'
       and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)
     order by day, split_value`,
    { ...range, source, split },
  );
  return rows.map((row) => ({
    day: String(row.day),
    split_value: String(row.split_value),
    pulled_at: Number(row.pulled_at),
  }));
}
