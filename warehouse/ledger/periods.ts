// The rows of ledger.periods as pulls ask for them: which days came, when, in which state.
import type { Queryable, Row, Store } from '../engine.ts';

/** Whose days, in which zone. */
export interface AccountZone {
  account: string;
  timezone: string;
}

/** Key of a series of days: a source, grain, split and split value. */
interface SeriesKey {
  source: string;
  grain: string;
  split: string;
  split_value: string;
}

const keys = ['source', 'grain', 'split', 'split_value'] as const;
const columns =
  'source, grain, split, split_value, day, state, pulled_at, asked_at, failures, first_pulled_at, changed_at, hash, rows';

const mine = ({ dialect: { param } }: Queryable): string =>
  `account = ${param('account', 'text')} and timezone = ${param('timezone', 'text')}`;

/**
 * Which days count as settled: those before `near` that came, without failures since, half a day and `settling` seconds
 * after they were over anywhere on earth (a bound that needs no time zone), and no later than `now` (Unix seconds).
 */
interface Settled {
  near: string;
  settling: number;
  now: number;
}

const isSettled = ({ dialect: { second, dayNumber } }: Queryable, { settling, now }: Settled): string =>
  `coalesce(failures, 0) = 0 and ${second('pulled_at')} >= (${dayNumber('day')} + 1) * 86400 + ${settling + 43_200}` +
  ` and ${second('pulled_at')} <= ${now}`;

/** Received outside of a span of time, Unix seconds; an endless span holds nothing. */
const isOutside = ({ dialect: { second } }: Queryable, { from, to }: { from: number; to: number }): string =>
  Number.isFinite(from) && Number.isFinite(to)
    ? `(${second('pulled_at')} < ${from} or ${second('pulled_at')} > ${to})`
    : 'true';

export interface DayRunsOf {
  key: SeriesKey;
  /** First and last day of each run, as numbers of days since 1970-01-01. */
  runs: [number, number][];
}

/**
 * Settled days by series; `outside`: only those received outside of this span (Unix seconds). A series without gaps is described by its
 * ends; for others the days are read.
 */
export async function settledRuns(
  engine: Queryable,
  whose: AccountZone,
  settled: Settled,
  outside?: { from: number; to: number },
): Promise<DayRunsOf[]> {
  const { param, literal, dayNumber } = engine.dialect;
  const fits = [
    mine(engine),
    "state = 'pulled'",
    isSettled(engine, settled),
    `day < ${literal(settled.near, 'date')}`,
    ...(outside ? [isOutside(engine, outside)] : []),
  ].join(' and ');
  const number = dayNumber('day');
  const ends = await engine.query(
    `select ${keys.join(', ')}, min(${number}) as first, max(${number}) as last, count(*) as days
     from ledger.periods
     where ${fits}
     group by ${keys.join(', ')}`,
    { ...whose },
  );
  const found: DayRunsOf[] = [];
  for (const row of ends) {
    const key = keyOf(row);
    const [first, last] = [Number(row.first), Number(row.last)];
    if (Number(row.days) === last - first + 1) {
      found.push({ key, runs: [[first, last]] });
      continue;
    }
    const each = keys.map((name) => `${name} = ${param(name, 'text')}`);
    const days = await engine.query(
      `select ${number} as number
       from ledger.periods
       where ${fits}
         and ${each.join(' and ')}`,
      { ...whose, ...key },
    );
    found.push({ key, runs: days.map((day): [number, number] => [Number(day.number), Number(day.number)]) });
  }
  return found;
}

const keyOf = ({ source, grain, split, split_value }: Row): SeriesKey => ({
  source: String(source),
  grain: String(grain),
  split: String(split),
  split_value: String(split_value),
});

/** Rows that are not settled, and failed rows of any age. */
export const unsettledPeriods = (engine: Queryable, whose: AccountZone, settled: Settled): Promise<Row[]> =>
  engine.query(
    `select ${columns}
     from ledger.periods
     where ${mine(engine)}
       and (
         day >= ${engine.dialect.literal(settled.near, 'date')}
         or (state = 'pulled' and not (${isSettled(engine, settled)}))
         or state in ('failed', 'quarantined')
       )`,
    { ...whose },
  );

/** Rows of these sources between two local days, both included. */
export const periodsBetween = (
  engine: Queryable,
  whose: AccountZone,
  sources: readonly string[],
  from: string,
  to: string,
): Promise<Row[]> =>
  engine.query(
    `select ${columns}
     from ledger.periods
     where ${mine(engine)}
       and day >= ${engine.dialect.literal(from, 'date')}
       and day <= ${engine.dialect.literal(to, 'date')}
       and source in (${sources.map((source) => engine.dialect.literal(source, 'text')).join(', ')})`,
    { ...whose },
  );

/** How a day of the archive was noted last: `rows`, `total`, `error`. */
export async function periodOf(
  engine: Queryable,
  whose: AccountZone,
  source: string,
  day: string,
): Promise<Row | undefined> {
  const { param } = engine.dialect;
  const [found] = await engine.query(
    `select rows, total, error
     from ledger.periods
     where ${mine(engine)}
       and source = ${param('source', 'text')}
       and day = cast(${param('day', 'text')} as date)`,
    { ...whose, source, day },
  );
  return found;
}

/** Rows of daily reports of the whole account, and not of its chats or lists. */
export const ofDailyReports =
  "grain = 'day' and split = 'account' and source not like 'account.%' and source not in ('archive', 'archive_v3')";

/**
 * Months before `until` for which daily reports of the whole account were pulled, least recently asked first: `month` (YYYY-MM) and the
 * time of the last request (Unix seconds).
 */
export async function monthsAsked(
  engine: Queryable,
  whose: AccountZone,
  since: string,
  until: string,
): Promise<{ month: string; asked: number }[]> {
  const { literal, second } = engine.dialect;
  const rows = await engine.query(
    `select substr(cast(day as varchar), 1, 7) as month, ${second('max(coalesce(asked_at, pulled_at))')} as asked
     from ledger.periods
     where ${mine(engine)}
       and ${ofDailyReports}
       and source not like '%ranking'
       and state = 'pulled'
       and day >= ${literal(since, 'date')}
       and day < ${literal(until, 'date')}
     group by month
     order by asked, month`,
    { ...whose },
  );
  return rows.map(({ month, asked }) => ({ month: String(month), asked: Number(asked) }));
}

export interface ShortDay {
  day: string;
  /** Chats that the archive gave. */
  rows: number;
  /** Chats that the report names. */
  reported: number;
}

/** Local days for which a pull received fewer chats than the report counts; `isNew`: only those that it changed. */
export async function daysShortOfReport(
  engine: Queryable,
  whose: AccountZone,
  pull_id: string,
  isNew: boolean,
): Promise<ShortDay[]> {
  const { param } = engine.dialect;
  const rows = await engine.query(
    `select p.day, p.rows, r.chats
     from ledger.periods as p
     inner join reports.total_chats as r on r.account = p.account and r.timezone = p.timezone and r.day = p.day
     where p.account = ${param('account', 'text')}
       and p.timezone = ${param('timezone', 'text')}
       and p.pull_id = ${param('pull_id', 'text')}
       and p.source = 'archive'
       and p.state = 'pulled'
       and r.grain = 'day'
       and r.split = 'account'
       and p.rows < r.chats${isNew ? '\n       and p.rows_new + p.rows_changed > 0' : ''}`,
    { ...whose, pull_id },
  );
  return rows.map(({ day, rows, chats }) => ({ day: String(day), rows: Number(rows), reported: Number(chats) }));
}

/** Stores the true number of chats of an archive day, and why some are missing. */
export const noteTotal = (store: Store, whose: AccountZone, day: string, total: number, error: string): Promise<void> =>
  store.exec(
    `update ledger.periods
     set total = ${total}, error = ${store.dialect.literal(error, 'text')}
     where ${mine(store)}
       and source = 'archive'
       and day = ${store.dialect.literal(day, 'date')}`,
    { ...whose },
  );

/** Until when the ledger knows what was asked of an account, Unix seconds; -Infinity if nothing was. */
export async function askedUntil(engine: Queryable, account: string): Promise<number> {
  const { param, second } = engine.dialect;
  const [found] = await engine.query(
    `select max(${second('coalesce(asked_at, pulled_at)')}) as until
     from ledger.periods
     where account = ${param('account', 'text')}`,
    { account },
  );
  return found?.until == null ? -Infinity : Math.floor(Number(found.until));
}

/** Series and day of everything that was asked in one second (Unix seconds). */
export async function askedAt(
  engine: Queryable,
  account: string,
  second: number,
): Promise<(SeriesKey & { day: string })[]> {
  const { dialect } = engine;
  const rows = await engine.query(
    `select ${keys.join(', ')}, day
     from ledger.periods
     where account = ${dialect.param('account', 'text')}
       and floor(${dialect.second('coalesce(asked_at, pulled_at)')}) = ${dialect.param('second', 'double')}`,
    { account, second },
  );
  return rows.map((row) => ({ ...keyOf(row), day: String(row.day) }));
}
