// The ledger of an account: what has been received, when, and whether it changed. Kept in memory during a pull.
import type { Engine, Row } from '#warehouse/engine.ts';
import type { ComparedDay } from './compare-threads.ts';
import { createDayRuns, type DayRuns } from './day-runs.ts';
import { addDays, dayOf, numberOf } from './days.ts';
import type { FlatRow } from './decode-chats.ts';
import { endsAt, settling_seconds, type Known } from './due.ts';
import { quarantineOf, type Quarantine } from './quarantine.ts';
import type { OpenDay } from './load-archive.ts';
import type { Held } from './raw-span.ts';

export interface PeriodKey {
  timezone: string;
  source: string;
  grain: 'day' | 'hour';
  split: 'account' | 'group' | 'agent';
  split_value: string;
  day: string;
}

export interface PeriodNews extends PeriodKey {
  state: 'pulled' | 'failed' | 'not_in_plan' | 'gone' | 'quarantined';
  hash: string;
  rows: number;
  /** Of an archive day, which chats were new; of anything else it is known from the hash. */
  rows_new?: number;
  rows_changed?: number;
  total?: number | undefined;
  error?: string | undefined;
  /** Records of it that were set aside: it is asked again, as what failed is. */
  misfits?: number;
  cost: Cost;
}

/** What the requests behind a day took; one request may serve several days. */
export interface Cost {
  attempts: number;
  bytes: number;
  milliseconds: number;
}

interface Entry {
  /** Null while it was never received. */
  received_at: number | null;
  asked_at: number;
  failures: number;
  first_pulled_at: number;
  changed_at: number;
  hash: string;
  state: PeriodNews['state'];
  rows: number;
}

export interface Ledger {
  known: Known;
  /** The state in which a source as a whole was found within the last day, when it gives nothing. */
  refused(source: string): 'not_in_plan' | 'gone' | undefined;
  /** Reads what is known of days that settled long ago, before they are noted again. */
  recall(keys: readonly PeriodKey[]): Promise<void>;
  /** What the day's content was when it was last received; nothing when it never was. */
  hashOf(key: PeriodKey): string | undefined;
  /** Rows for ledger.periods; remembers the news. */
  note(news: readonly PeriodNews[], now: number, pull_id: string): Noted;
  quarantine: Quarantine;
  /** Archive days of which more parts follow, by their question. */
  open: Map<string, OpenDay>;
  /** The same of days that are only compared. */
  compared: Map<string, ComparedDay>;
}

export interface Noted {
  rows: FlatRow[];
  /** Days whose content is another than before. */
  changed: PeriodKey[];
  /** A day came for the first time, or with another content or state than before. */
  has_news: boolean;
  /** Local days that had not settled when they were last received, and those that had and are different now. */
  touched: string[];
}

/** Of days before this many, only what is missing is kept one by one. */
const near_days = 10;
/** A source that is refused as a whole is tried once a day. */
const refused_seconds = 86_400;

const columns =
  'source, grain, split, split_value, day, state, pulled_at, asked_at, failures, first_pulled_at, changed_at, hash, rows';

/** Whose days, in which zone, and the time (Unix seconds). */
export interface Reading {
  account: string;
  timezone: string;
  now: number;
  /** The time of which the raw archive has every answer: what was received at another time is asked again. */
  held?: Held;
}

export async function readLedger(engine: Engine, { account, timezone, now, held }: Reading): Promise<Ledger> {
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
  const settled = `${mine} and state = 'pulled' and ${isSettled} and day < ${near}`;
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
         and (day >= ${near} or (state = 'pulled' and not (${isSettled})) or state in ('failed', 'quarantined'))`,
      whose,
    ),
  );

  return {
    quarantine: await quarantineOf(engine, account),
    open: new Map(),
    compared: new Map(),
    known: (source, grain, split, split_value) => {
      const key = { timezone, source, grain, split, split_value } as PeriodKey;
      const found = series.get(nameOf(key));
      if (!found) return () => undefined;
      return (day) => {
        const entry = found.entries.get(day);
        if (entry) return isHeld(entry, held, now) ? entry : undefined;
        const number = numberOf(day);
        return found.settled.has(number) && !found.lost.has(number) ? 'complete' : undefined;
      };
    },
    refused(source) {
      const entries = (['day', 'hour'] as const).flatMap((grain) => [
        ...(series.get(nameOf({ ...accountWide, grain, timezone, source }))?.entries.values() ?? []),
      ]);
      const last = entries.reduce((latest, { asked_at }) => Math.max(latest, asked_at), 0);
      if (last <= now - refused_seconds) return undefined;
      // Days that were received before stay as they are; those that never were say what the source says.
      const refused = entries.find(({ state, asked_at }) => asked_at === last && isRefusal(state));
      return refused?.state as 'not_in_plan' | 'gone' | undefined;
    },
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
    hashOf: (key) => {
      const entry = series.get(nameOf(key))?.entries.get(key.day);
      return entry?.state === 'pulled' ? entry.hash : undefined;
    },
    note(news, now, pull_id) {
      const changed: PeriodKey[] = [];
      const touched = new Set<string>();
      let has_news = false;
      const rows = news.map((item): FlatRow => {
        const { cost, misfits: _, ...said } = item;
        const { entries, settled, lost } = seriesOf(item);
        const before = entries.get(item.day);
        const { entry, isChanged, isNews } = entryAfter(before, item, now);
        if (isChanged) changed.push(item);
        has_news ||= isNews;
        const wasSettled = before?.received_at && before.received_at >= endsAt(item.day, timezone) + settling_seconds;
        if (isNews || !wasSettled) touched.add(item.day);
        // A day that has settled needs no entry of its own, unless it was recalled to be compared.
        const isSettled = entry.failures === 0 && now >= endsAt(item.day, timezone) + settling_seconds;
        if (isSettled && !before) {
          settled.add(numberOf(item.day), numberOf(item.day));
          lost.delete(numberOf(item.day));
        } else entries.set(item.day, entry);
        const { received_at, ...kept } = entry;
        const counts = countsOf(item, before, isChanged);
        return {
          ...{ account, ...said, ...kept, ...counts, ...cost, pulled_at: received_at ?? now },
          ...{ total: item.total ?? null, error: item.error ?? null, pull_id },
        };
      });
      return { rows, changed, has_news, touched: [...touched] };
    },
  };
}

interface Series {
  entries: Map<string, Entry>;
  /** Days that were received after they had settled. */
  settled: DayRuns;
  /** Of these, the days that the raw archive does not have. */
  lost: DayRuns;
}

const accountWide = { split: 'account', split_value: '' } as const;

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

/** Also what this pull received itself, since `started`. */
const isHeld = ({ received_at }: Entry, held: Held | undefined, started: number): boolean =>
  !held || received_at === null || received_at >= started || (received_at >= held.from && received_at <= held.to);

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

const seconds = (instant: unknown): number => Math.floor(Date.parse(String(instant)) / 1000);

const isRefusal = (state: PeriodNews['state']): boolean => state === 'not_in_plan' || state === 'gone';

/** Asked, and nothing of it can be used: it is asked again. */
const isMissing = (state: unknown): boolean => state !== 'pulled';

const entryOf = (row: Row): Entry => ({
  received_at: isMissing(row.state) ? null : seconds(row.pulled_at),
  asked_at: seconds(row.asked_at ?? row.pulled_at),
  failures: Number(row.failures ?? 0),
  first_pulled_at: seconds(row.first_pulled_at),
  changed_at: seconds(row.changed_at),
  hash: String(row.hash),
  state: row.state as PeriodNews['state'],
  rows: Number(row.rows),
});

function entryAfter(before: Entry | undefined, item: PeriodNews, now: number) {
  const failures = isMissing(item.state) || item.misfits ? (before?.failures ?? 0) + 1 : 0;
  // A day that is here stays here when asking again fails; only the error is new, and it is soon asked again.
  if (before?.state === 'pulled' && isMissing(item.state))
    return { entry: { ...before, asked_at: now, failures }, isChanged: false, isNews: hasNewRows(item) };
  const isChanged = before !== undefined && before.hash !== item.hash;
  const entry: Entry = {
    received_at: isMissing(item.state) ? null : now,
    asked_at: now,
    failures,
    first_pulled_at: before?.first_pulled_at ?? now,
    changed_at: before && !isChanged ? before.changed_at : now,
    hash: item.hash,
    state: item.state,
    rows: item.rows,
  };
  return { entry, isChanged, isNews: !before || isChanged || before.state !== item.state };
}

/** An archive day of which only some pages could be read brings chats all the same. */
const hasNewRows = ({ rows_new = 0, rows_changed = 0 }: PeriodNews): boolean => rows_new + rows_changed > 0;

/** A report that changed in any way counts all its rows as changed. */
function countsOf(item: PeriodNews, before: Entry | undefined, isChanged: boolean) {
  const isNew = before?.state !== 'pulled';
  const rows_new = item.rows_new ?? (isNew ? item.rows : 0);
  const rows_changed = item.rows_changed ?? (!isNew && isChanged ? item.rows : 0);
  return { rows_new, rows_changed, rows_unchanged: Math.max(0, item.rows - rows_new - rows_changed) };
}
