// Reads what the ledger knows, series by series: a source and split with its days. Years of settled days are runs, not entries.
import type { Engine, Row } from '#warehouse/engine.ts';
import { createDayRuns, type DayRuns } from './day-runs.ts';
import { addDays, dayOf, numberOf } from '../days.ts';
import { settling_seconds } from '../plan/due.ts';
import { believed, entryOf, type Entry } from './entry.ts';
import type { PeriodKey } from './period.ts';
import type { Held } from '../raw/span.ts';

/** Whose days, in which zone, and the time (Unix seconds). */
export interface Reading {
  account: string;
  timezone: string;
  now: number;
  /** The time of which the raw archive has every answer: what was received at another time is asked again. */
  held?: Held;
}

export interface Series {
  entries: Map<string, Entry>;
  /** Days that were received after they had settled. */
  settled: DayRuns;
  /** Of these, the days that the raw archive does not have. */
  lost: DayRuns;
}

export interface SeriesBook {
  find(key: Omit<PeriodKey, 'day'>): Series | undefined;
  /** Begins the series when there is none. */
  of(key: Omit<PeriodKey, 'day'>): Series;
  /** Reads what is known of days that settled long ago, before they are noted again. */
  recall(keys: readonly PeriodKey[]): Promise<void>;
}

/** Of days before this many, only what is missing is kept one by one. */
const near_days = 10;
const columns =
  'source, grain, split, split_value, day, state, pulled_at, asked_at, failures, first_pulled_at, changed_at, hash, rows';

export async function readSeries(engine: Engine, { account, timezone, now, held }: Reading): Promise<SeriesBook> {
  const { param } = engine.dialect;
  const whose = { account, timezone };
  const mine = `account = ${param('account', 'text')} and timezone = ${param('timezone', 'text')}`;
  const near = engine.dialect.literal(addDays(dayOf(now, timezone), -near_days), 'date');
  const series = new Map<string, Series>();
  const seriesOf = (key: Omit<PeriodKey, 'day'>): Series => {
    const name = nameOf(key);
    const known = series.get(name) ?? { entries: new Map(), settled: createDayRuns(), lost: createDayRuns() };
    series.set(name, known);
    return known;
  };
  const remember = (rows: readonly Row[]): void => {
    for (const row of rows) {
      const key = { ...row, timezone } as unknown as PeriodKey;
      seriesOf(key).entries.set(key.day, entryOf(row));
    }
  };
  const isBelieved = `${isSettled} and epoch(pulled_at) <= ${now}`;
  const settled = `${mine} and state = 'pulled' and ${isBelieved} and day < ${near}`;
  for (const { key, runs } of await runsOf(engine, whose, settled))
    for (const [from, to] of runs) seriesOf({ ...key, timezone }).settled.add(from, to);
  if (held)
    for (const { key, runs } of await runsOf(engine, whose, `${settled} and ${notHeld(held)}`))
      for (const [from, to] of runs) seriesOf({ ...key, timezone }).lost.add(from, to);
  // TRICKY: what the account's plan does not give is one row a day and split for years, and is found by the newest alone.
  remember(
    await engine.query(
      `select ${columns}
       from ledger.periods
       where ${mine}
         and (day >= ${near} or (state = 'pulled' and not (${isBelieved})) or state in ('failed', 'quarantined'))`,
      whose,
    ),
  );
  for (const { entries } of series.values()) for (const [day, entry] of entries) entries.set(day, believed(entry, now));

  return {
    find: (key) => series.get(nameOf(key)),
    of: seriesOf,
    async recall(keys) {
      const missing = keys.filter((key) => {
        const found = series.get(nameOf(key));
        return found && !found.entries.has(key.day) && found.settled.has(numberOf(key.day));
      });
      if (missing.length === 0) return;
      const days = missing.map(({ day }) => day).sort();
      const sources = [...new Set(missing.map(({ source }) => source))];
      const rows = await engine.query(
        `select ${columns}
         from ledger.periods
         where ${mine}
           and day >= ${engine.dialect.literal(days[0] ?? '', 'date')}
           and day <= ${engine.dialect.literal(days.at(-1) ?? '', 'date')}
           and source in (${sources.map((source) => engine.dialect.literal(source, 'text')).join(', ')})`,
        whose,
      );
      const wanted = new Set(missing.map((key) => `${nameOf(key)} ${key.day}`));
      remember(rows.filter((row) => wanted.has(`${nameOf({ ...row, timezone } as unknown as PeriodKey)} ${row.day}`)));
    },
  };
}

const nameOf = ({ timezone, source, grain, split, split_value }: Omit<PeriodKey, 'day'>): string =>
  `${timezone}\u0001${source}\u0001${grain}\u0001${split}\u0001${split_value}`;

/**
 * Received at least half a day after the day had settled anywhere on earth: a bound that needs no time zone. A day
 * between the two bounds is read one by one.
 */
const isSettled = `coalesce(failures, 0) = 0 and epoch(pulled_at) >= (datediff('day', date '1970-01-01', day) + 1) * 86400 + ${settling_seconds + 43_200}`;

const notHeld = ({ from, to }: Held): string => {
  const outside = [`epoch(pulled_at) < ${from}`, `epoch(pulled_at) > ${to}`];
  return Number.isFinite(from) && Number.isFinite(to) ? `(${outside.join(' or ')})` : 'true';
};

type Whose = { account: string; timezone: string };
type Runs = { key: Omit<PeriodKey, 'day' | 'timezone'>; runs: [number, number][] };

/** Days that fit the condition, by series. A series without a gap is told by its ends; of the others the days are read. */
async function runsOf(engine: Engine, whose: Whose, fits: string): Promise<Runs[]> {
  const number = "datediff('day', date '1970-01-01', day)";
  const ends = await engine.query(
    `select source, grain, split, split_value, min(${number}) as first, max(${number}) as last, count(*) as days
     from ledger.periods
     where ${fits}
     group by source, grain, split, split_value`,
    whose,
  );
  const found: Runs[] = [];
  for (const row of ends) {
    const key = row as unknown as Runs['key'];
    const [first, last] = [Number(row.first), Number(row.last)];
    if (Number(row.days) === last - first + 1) {
      found.push({ key, runs: [[first, last]] });
      continue;
    }
    const { param } = engine.dialect;
    const each = (['source', 'grain', 'split', 'split_value'] as const).map(
      (name) => `${name} = ${param(name, 'text')}`,
    );
    const days = await engine.query(
      `select ${number} as number
       from ledger.periods
       where ${fits}
         and ${each.join(' and ')}`,
      { ...whose, source: key.source, grain: key.grain, split: key.split, split_value: key.split_value },
    );
    found.push({ key, runs: days.map((day): [number, number] => [Number(day.number), Number(day.number)]) });
  }
  return found;
}
