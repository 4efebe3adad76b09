// Which complete month is checked again: one a local day, the one that was checked longest ago.
import type { Queryable } from '#warehouse/engine.ts';
import { monthsAsked } from '#warehouse/ledger/periods.ts';
import { boundsOf, dayOf, endOfMonth, monthOf } from '../days.ts';
import { settlesAt, type PlanClock } from './due.ts';

interface Month {
  /** First and last local day; the first month begins where pulling begins. */
  from: string;
  to: string;
}

/** A month counts as checked when one of its daily reports was last asked. Undefined if a month was already checked today. */
export async function monthToCheck(
  engine: Queryable,
  account: string,
  since: string,
  moment: PlanClock,
): Promise<Month | undefined> {
  const { timezone, now } = moment;
  const today = dayOf(now, timezone);
  const months = await monthsAsked(engine, { account, timezone }, since, monthOf(today));
  const complete = months
    // A check recorded by a clock that ran ahead does not count.
    .map(({ month, asked }) => ({ from: `${month}-01`, checked: asked > now ? 0 : asked }))
    .filter(({ from }) => settlesAt(endOfMonth(from), moment) <= now)
    .sort((one, other) => one.checked - other.checked);
  const midnight = boundsOf(today, timezone).first;
  if (complete.some(({ checked }) => checked >= midnight)) return undefined;
  const [oldest] = complete;
  return oldest && { from: oldest.from < since ? since : oldest.from, to: endOfMonth(oldest.from) };
}
