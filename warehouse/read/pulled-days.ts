// The ledger's days of an account: which were pulled and when, which changed, which are incomplete.
import type { QueryContext } from '../query/context.ts';
import type { Queryable } from '../engine.ts';
import { dateOf } from '../periods.ts';

/** Local days, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** A local day for which a report was pulled, whether it gave a row or not. */
interface ReportDay {
  day: string;
  /** Group id or login; empty for the whole account. */
  split_value: string;
  /** Unix seconds. */
  pulled_at: number;
}

/** In order of day and split value. `source` is a table of the schema `reports`. */
export async function reportDays(
  { snapshot, account }: QueryContext,
  source: string,
  split: string,
  { from, to }: DayRange,
): Promise<ReportDay[]> {
  const { param, second } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select day, split_value, ${second('pulled_at')} as pulled_at
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and source = ${param('source', 'text')}
       and split = ${param('split', 'text')}
       and grain = 'day'
       and state = 'pulled'
       and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)
     order by day, split_value`,
    { account: account.id, timezone: account.timezone, source, split, from, to },
  );
  return rows.map((row) => ({
    day: String(row.day),
    split_value: String(row.split_value),
    pulled_at: Number(row.pulled_at),
  }));
}

/** Local days of the archive that were pulled, from the account's first one on. */
export async function archivedDays({ snapshot, account }: QueryContext, { from, to }: DayRange): Promise<Set<string>> {
  const { param } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select day
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and source = 'archive'
       and state = 'pulled'
       and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)`,
    { account: account.id, timezone: account.timezone, from: from > account.since ? from : account.since, to },
  );
  return new Set(rows.map(({ day }) => String(day)));
}

/** First and last local day that was pulled of anything; nothing when none was. */
export async function pulledSpan({ snapshot, account }: QueryContext): Promise<DayRange | undefined> {
  const { param } = snapshot.engine.dialect;
  const [row] = await snapshot.engine.query(
    `select min(day) as first, max(day) as last
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and split = 'account'
       and state = 'pulled'
       and day >= cast(${param('since', 'text')} as date)`,
    { account: account.id, timezone: account.timezone, since: account.since },
  );
  return row?.first ? { from: String(row.first), to: String(row.last) } : undefined;
}

/** When (Unix seconds) each local day of the archive was first received; 0 for a day that was asked and never came. */
export async function firstReceived({ snapshot, account }: QueryContext): Promise<Map<string, number>> {
  const { param, second } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select day, state, ${second('first_pulled_at')} as first
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and source = 'archive'
       and grain = 'day'
       and split = 'account'
       and day >= cast(${param('since', 'text')} as date)`,
    { account: account.id, timezone: account.timezone, since: account.since },
  );
  return new Map(rows.map(({ day, state, first }) => [String(day), state === 'pulled' ? Number(first) : 0]));
}

/**
 * Local days whose content changed at or after a moment (Unix seconds) and that had been received before, by source (archive or report),
 * sorted.
 */
export async function daysChangedSince(
  { snapshot, account }: QueryContext,
  moment: number,
): Promise<Map<string, string[]>> {
  const { param, second } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select distinct source, day
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and state = 'pulled'
       and grain = 'day'
       and ${second('changed_at')} >= ${param('moment', 'bigint')}
       and ${second('first_pulled_at')} <= ${param('moment', 'bigint')}
     order by source, day`,
    { account: account.id, timezone: account.timezone, moment },
  );
  const found = new Map<string, string[]>();
  for (const { source, day } of rows) {
    const days = found.get(String(source)) ?? [];
    days.push(String(day));
    found.set(String(source), days);
  }
  return found;
}

/** Local days for which the archive failed, or reported more chats than could be reached. */
export async function shortDays({ snapshot, account }: QueryContext, { from, to }: DayRange): Promise<Set<string>> {
  const { param } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select day
     from ledger.periods
     where account = ${param('account', 'text')}
       and source = 'archive'
       and day between cast(${param('from', 'text')} as date) and cast(${param('to', 'text')} as date)
       and (state <> 'pulled' or total > rows)`,
    { account: account.id, from, to },
  );
  return new Set(rows.map(({ day }) => String(day)));
}

/** How many chats the archive named for each local day. */
export async function chatsByDay(engine: Queryable, account: string): Promise<Map<string, number>> {
  const rows = await engine.query(
    `select day, coalesce(total, 0) as chats
     from ledger.periods
     where source = 'archive'
       and account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  return new Map(rows.map(({ day, chats }) => [String(day), Number(chats)]));
}

/** The first local day of the archive that was pulled; null when none was. */
export async function pulledSince(engine: Queryable, account: string): Promise<string | null> {
  const [first] = await engine.query(
    `select min(day) as day
     from ledger.periods
     where source = 'archive'
       and state = 'pulled'
       and account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  return first?.day ? String(first.day) : null;
}

/**
 * By account the first local day from which on nothing is missing: neither chats nor reports of a day between it and the last one were
 * never asked. Days after tomorrow are not looked at: a clock that ran ahead asked for them. `now` in Unix seconds.
 */
export async function unbrokenSince(engine: Queryable, now: number): Promise<Map<string, string>> {
  const { dayNumber, before, param } = engine.dialect;
  const rows = await engine.query(
    `select account, max(day_number) as first
     from (
       select account, day_number,
         ${before('day_number', 'partition by account, is_archive order by day_number')} as number_before
       from (
         select distinct account, source = 'archive' as is_archive, ${dayNumber('day')} as day_number
         from ledger.periods
         where grain = 'day'
           and split = 'account'
           and source <> 'archive_v3'
           and source not like 'account.%'
           and day <= cast(${param('tomorrow', 'text')} as date)
       ) as asked
     ) as each
     where number_before is null
        or number_before < day_number - 1
     group by account`,
    // Zones are up to fourteen hours ahead.
    { tomorrow: dateOf(Math.floor(now / 86_400) + 1) },
  );
  return new Map(rows.map(({ account, first }) => [String(account), dateOf(Number(first))]));
}
