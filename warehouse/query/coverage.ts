// What has been pulled, as days of real time: read from the ledger, asked by states.ts.
import type { Ask } from './ask.ts';
import { asked, quarterSeconds } from './time-buckets.ts';
import type { Engine } from '../engine.ts';
import type { QueryContext } from './context.ts';
import { memoized } from '../memoize.ts';
import { dateOf, dayNumber, localDate, range } from '../periods.ts';
import type { Stored } from './reported.ts';

/** A pulled local day as real time; `pulled` is when it was last received. Unix seconds. */
export interface PulledDay {
  from: number;
  until: number;
  pulled: number;
}

/** Pulled days in order; a gap is a day that was not pulled. */
export type Coverage = readonly PulledDay[];

const boundaries = new Map<string, number>();

function startOf(zone: string, date: string): number {
  const name = `${zone} ${date}`;
  let start = boundaries.get(name);
  if (start === undefined) {
    if (boundaries.size > 50_000) boundaries.clear();
    start = range(zone, date, date).from;
    boundaries.set(name, start);
  }
  return start;
}

function coverageOf(zone: string, rows: readonly { day: string; pulled_at: string }[]): Coverage {
  return rows.map(({ day, pulled_at }) => ({
    from: startOf(zone, day),
    until: startOf(zone, dateOf(dayNumber(day) + 1)),
    pulled: Date.parse(pulled_at) / 1000,
  }));
}

const select =
  'select split_value, day, pulled_at\nfrom ledger.periods\n' +
  "where account = $account\n  and state = 'pulled'\n  and source = $source\n  and timezone = $timezone\n" +
  '  and grain = $grain\n  and split = $split\n  and day >= cast($from as date)\n  and day <= cast($to as date)\n' +
  'order by split_value, day';

/**
 * Days of the account itself are few and are read whole where they can be kept; those of its agents and groups are read
 * for the asked range.
 */
function pulled(engine: Engine, params: Record<string, string>): Promise<Map<string, Coverage>> {
  if (!engine.isFrozen || params.split !== 'account') return pulledDays(engine, params);
  const whole = { ...params, from: '1970-01-01', to: '9999-12-31' };
  return memoized(engine, `days ${JSON.stringify(whole)}`, () => pulledDays(engine, whole));
}

async function pulledDays(engine: Engine, params: Record<string, string>): Promise<Map<string, Coverage>> {
  const rows = await engine.query(select, params);
  const found = new Map<string, { day: string; pulled_at: string }[]>();
  for (const row of rows) {
    const value = String(row.split_value);
    const days = found.get(value) ?? [];
    days.push({ day: String(row.day), pulled_at: String(row.pulled_at) });
    found.set(value, days);
  }
  return new Map([...found].map(([value, days]) => [value, coverageOf(String(params.timezone), days)]));
}

/** Days of the chat archive, in the account's own zone, that touch the asked range. */
export async function archiveCoverage(ask: Ask, { snapshot, account }: QueryContext): Promise<Coverage> {
  const { from, until } = asked(ask);
  const found = await pulled(snapshot.engine, {
    account: ask.account,
    source: 'archive',
    timezone: account.timezone,
    grain: 'day',
    split: 'account',
    from: localDate(account.timezone, from),
    to: localDate(account.timezone, until + quarterSeconds),
  });
  return found.get('') ?? [];
}

/** Days of a stored report, by group id or login (empty: the whole account). */
export const reportCoverage = (
  engine: Engine,
  ask: Ask,
  source: string,
  { grain, split }: Stored,
): Promise<Map<string, Coverage>> =>
  pulled(engine, {
    account: ask.account,
    source,
    timezone: ask.timezone,
    grain,
    split,
    from: ask.from,
    to: ask.to,
  });
