// Which complete month is checked again: one a local day, the one that was checked longest ago.
import type { Engine } from '#warehouse/engine.ts';
import { boundsOf, dayOf, endOfMonth, monthOf } from '../days.ts';
import { endsAt, settling_seconds, type Moment } from './due.ts';

export interface Month {
  /** First and last local day; the first month begins where pulling begins. */
  from: string;
  to: string;
}

/** A month was checked when one of its reports by day was asked last. Nothing while a month was checked today. */
export async function monthToCheck(
  engine: Engine,
  account: string,
  since: string,
  { timezone, now }: Moment,
): Promise<Month | undefined> {
  const { param, literal } = engine.dialect;
  const today = dayOf(now, timezone);
  const months = await engine.query(
    `select substr(cast(day as varchar), 1, 7) as month, epoch(max(coalesce(asked_at, pulled_at))) as checked
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and grain = 'day'
       and split = 'account'
       and source not like 'account.%'
       and source not in ('archive', 'archive_v3')
       and source not like '%ranking'
       and state = 'pulled'
       and day >= ${literal(since, 'date')}
       and day < ${literal(monthOf(today), 'date')}
     group by month
     order by checked, month`,
    { account, timezone },
  );
  const complete = months
    // A check that a clock noted which ran ahead is none.
    .map(({ month, checked }) => ({
      from: `${String(month)}-01`,
      checked: Number(checked) > now ? 0 : Number(checked),
    }))
    .filter(({ from }) => endsAt(endOfMonth(from), timezone) + settling_seconds <= now)
    .sort((one, other) => one.checked - other.checked);
  const midnight = boundsOf(today, timezone).first;
  if (complete.some(({ checked }) => checked >= midnight)) return undefined;
  const [oldest] = complete;
  return oldest && { from: oldest.from < since ? since : oldest.from, to: endOfMonth(oldest.from) };
}
