// Pulled days as ranges of real time: read from the ledger, used by states.ts.
import type { Ask } from './ask.ts';
import { asked, quarterSeconds } from './time-buckets.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine } from '../engine.ts';
import type { QueryContext } from './context.ts';
import { ofDailyReports } from '../ledger/periods.ts';
import { memoized, recentlyMade } from '../memoize.ts';
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

/** Cached beginnings of local days by number, per zone. */
const beginnings = new Map<string, Map<number, number>>();

function beginningsIn(zone: string): Map<number, number> {
  let known = beginnings.get(zone);
  if (!known || known.size > 50_000) beginnings.set(zone, (known = new Map()));
  return known;
}

/** Beginning of a local day (days since 1970-01-01) in Unix seconds. */
function beginningOf(zone: string, known: Map<number, number>, day: number): number {
  let begins = known.get(day);
  if (begins === undefined) {
    const date = dateOf(day);
    begins = range(zone, date, date).from;
    known.set(day, begins);
  }
  return begins;
}

/** Selects numbers instead of dates, and the owner only where it changes: an account with 200 agents has 73,000 rows a year. */
const selectIn = ({ dayNumber, second, param, before }: Dialect): string =>
  `select nullif(split_value, ${before('split_value', 'order by split_value, day')}) as next_value, ` +
  `${dayNumber('day')} as day_number, ${second('pulled_at')} as pulled\nfrom ledger.periods\n` +
  `where account = ${param('account', 'text')}\n  and state = 'pulled'\n  and source = ${param('source', 'text')}\n` +
  `  and timezone = ${param('timezone', 'text')}\n  and grain = ${param('grain', 'text')}\n  and split = ${param('split', 'text')}\n` +
  `  and day >= cast(${param('from', 'text')} as date)\n  and day <= cast(${param('to', 'text')} as date)\n` +
  'order by split_value, day';

/** About what one day takes in memory, and what naming it takes. */
const bytes_of_day = 56;
const bytes_of_name = 8;

function bytesOf(coverages: ReadonlyMap<string, Coverage>): number {
  const days = [...coverages.values()].flat();
  return new Set(days).size * bytes_of_day + days.length * bytes_of_name;
}

/**
 * The account's own days are few, and are read completely where they can be cached; those of agents and groups are read for the requested
 * range, which pages with other filters share.
 */
function pulled(engine: Engine, params: Record<string, string>): Promise<Map<string, Coverage>> {
  const read =
    engine.isFrozen && params.split === 'account' ? { ...params, from: '1970-01-01', to: '9999-12-31' } : params;
  const key = JSON.stringify(read);
  if (params.split === 'account') return memoized(engine, `days ${key}`, () => pulledDays(engine, read));
  return recentlyMade(engine, { kind: 'pulled days', key, bytesOf }, () => pulledDays(engine, read));
}

async function pulledDays(engine: Engine, params: Record<string, string>): Promise<Map<string, Coverage>> {
  const zone = String(params.timezone);
  const known = beginningsIn(zone);
  const found = new Map<string, PulledDay[]>();
  /** The last day of each number: what was received of all agents at once is one object. */
  const latest = new Map<number, PulledDay>();
  let days: PulledDay[] = [];
  for await (const rows of engine.queryInPieces(selectIn(engine.dialect), params))
    for (const row of rows) {
      if (row.next_value !== null) found.set(String(row.next_value), (days = []));
      const number = Number(row.day_number);
      const pulled = Number(row.pulled);
      let day = latest.get(number);
      if (day?.pulled !== pulled) {
        day = { from: beginningOf(zone, known, number), until: beginningOf(zone, known, number + 1), pulled };
        latest.set(number, day);
      }
      days.push(day);
    }
  return found;
}

/**
 * The account's first day (YYYY-MM-DD): the first one to pull, or the first of its daily reports, if days before that were pulled once. The
 * archive is read from two days before it, for chats that still run when it begins and for zones in which it begins earlier.
 */
function firstDay({ snapshot, account }: QueryContext): Promise<string> {
  const { engine } = snapshot;
  const { id, timezone, since } = account;
  return memoized(engine, `first day ${JSON.stringify([id, timezone, since])}`, async () => {
    const { param } = engine.dialect;
    const [row] = await engine.query(
      `select min(day) as first\nfrom ledger.periods\nwhere account = ${param('account', 'text')}\n  and timezone = ${param('timezone', 'text')}\n` +
        `  and state = 'pulled'\n  and ${ofDailyReports}`,
      { account: id, timezone },
    );
    const reported = row?.first ? String(row.first) : since;
    return reported < since ? reported : since;
  });
}

/** When the local day of `zone` begins in which the first day of the account does; Unix seconds. */
function beginningIn(zone: string, ofAccount: string, first: string): number {
  if (first === '') return -Infinity;
  const day = localDate(zone, range(ofAccount, first, first).from);
  return range(zone, day, day).from;
}

/**
 * Days of the chat archive, in the account's own zone, that touch the asked range, from the account's first one on; in another zone from the
 * local day on in which that begins. `isSwept`: where chats that began before count in, a day is known only if the day before it was pulled
 * too.
 */
export async function archiveCoverage(ask: Ask, context: QueryContext, isSwept: boolean): Promise<Coverage> {
  const { snapshot, account } = context;
  const { from, until } = asked(ask);
  const ofArchive = {
    account: ask.account,
    source: 'archive',
    timezone: account.timezone,
    grain: 'day',
    split: 'account',
    from: dateOf(dayNumber(localDate(account.timezone, from)) - (isSwept ? 1 : 0)),
    to: localDate(account.timezone, until + quarterSeconds),
  };
  // TRICKY: one after the other. The days are read piece by piece, and a transaction refuses another statement meanwhile.
  const first = await firstDay(context);
  const found = await pulled(snapshot.engine, ofArchive);
  const days = found.get('') ?? [];
  const begins = beginningIn(ask.timezone, account.timezone, first);
  return days.flatMap((day, at) => {
    if (day.until <= begins || (isSwept && days[at - 1]?.until !== day.from)) return [];
    return day.from < begins ? [{ ...day, from: begins }] : [day];
  });
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
