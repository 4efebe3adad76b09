// Reads the ledger series by series: a source and split with its days. Years of settled days are stored as runs.
import type { Queryable, Row } from '#warehouse/engine.ts';
import { periodsBetween, settledRuns, unsettledPeriods, type DayRunsOf } from '#warehouse/ledger/periods.ts';
import { defaultSettlingDays } from '#warehouse/ledger/pulls.ts';
import { createDayRuns, type DayRuns } from './day-runs.ts';
import { addDays, dayOf, numberOf } from '../days.ts';
import { believed, entryOf, type LedgerEntry } from './entry.ts';
import type { PeriodKey } from './period.ts';
import type { ArchiveSpan } from '../raw/span.ts';

/** Whose days, in which zone, and the time (Unix seconds). */
export interface SeriesScope {
  account: string;
  timezone: string;
  now: number;
  /** The span that the raw archive covers completely: days received outside it are asked again. */
  held?: ArchiveSpan;
  /** Days after its end during which a day is settling; by default `defaultSettlingDays`. */
  settling_days?: number | undefined;
}

interface Series {
  entries: Map<string, LedgerEntry>;
  /** Days that were received after they had settled. */
  settled: DayRuns;
  /** Days of these that the raw archive lacks. */
  lost: DayRuns;
}

interface SeriesBook {
  find(key: Omit<PeriodKey, 'day'>): Series | undefined;
  /** Creates the series if missing. */
  of(key: Omit<PeriodKey, 'day'>): Series;
  /** Loads the entries of long-settled days before they are updated. */
  recall(keys: readonly PeriodKey[]): Promise<void>;
}

/** Before this many days ago, beyond those that are settling, only missing days are kept individually. */
const near_days = 3;
export async function readSeries(
  engine: Queryable,
  { account, timezone, now, held, settling_days = defaultSettlingDays }: SeriesScope,
): Promise<SeriesBook> {
  const whose = { account, timezone };
  const near = addDays(dayOf(now, timezone), -settling_days - near_days);
  const bound = { near, settling: settling_days * 86_400, now };
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
  const add = (found: readonly DayRunsOf[], to: 'settled' | 'lost'): void => {
    for (const { key, runs } of found)
      for (const [from, until] of runs) seriesOf({ ...key, timezone } as PeriodKey)[to].add(from, until);
  };
  add(await settledRuns(engine, whose, bound), 'settled');
  if (held) add(await settledRuns(engine, whose, bound, held), 'lost');
  // TRICKY: sources outside the account's plan have one row per day and split for years; the newest row is enough to find them.
  remember(await unsettledPeriods(engine, whose, bound));
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
      const rows = await periodsBetween(engine, whose, sources, days[0] ?? '', days.at(-1) ?? '');
      const wanted = new Set(missing.map((key) => `${nameOf(key)} ${key.day}`));
      remember(rows.filter((row) => wanted.has(`${nameOf({ ...row, timezone } as unknown as PeriodKey)} ${row.day}`)));
    },
  };
}

const nameOf = ({ timezone, source, grain, split, split_value }: Omit<PeriodKey, 'day'>): string =>
  `${timezone}\u0001${source}\u0001${grain}\u0001${split}\u0001${split_value}`;
