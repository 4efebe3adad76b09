// The ledger of an account: what has been received, when, and whether it changed. Kept in memory during a pull.
import { tableOf } from '#warehouse/tables.ts';
import type { Engine, Row } from '#warehouse/engine.ts';
import type { FlatRow } from './decode-chats.ts';
import type { Known } from './due.ts';

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
  total?: number | undefined;
  error?: string | undefined;
}

interface Entry {
  pulled_at: number;
  first_pulled_at: number;
  changed_at: number;
  hash: string;
  state: PeriodNews['state'];
  rows: number;
}

const nameOf = (key: PeriodKey): string =>
  [key.timezone, key.source, key.grain, key.split, key.split_value, key.day].join('\u0001');
const seconds = (instant: unknown): number => Math.floor(Date.parse(String(instant)) / 1000);

export interface Ledger {
  known(timezone: string): Known;
  /** Rows for ledger.periods; remembers the news. */
  note(news: readonly PeriodNews[], now: number, pull_id: string): Noted;
}

export interface Noted {
  rows: FlatRow[];
  /** Days whose content is another than before. */
  changed: PeriodKey[];
  /** A day came for the first time, or with another content or state than before. */
  has_news: boolean;
}

export async function readLedger(engine: Engine, account: string): Promise<Ledger> {
  const stored = await engine.query(
    `select timezone, source, grain, split, split_value, day, state, pulled_at, first_pulled_at, changed_at, hash, rows
     from ledger.periods
     where account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  const entries = new Map(stored.map((row) => [nameOf(row as unknown as PeriodKey), entryOf(row)]));
  return {
    known: (timezone) => (source, grain, split, split_value, day) => {
      const key = { timezone, source, grain, split, split_value, day } as PeriodKey;
      const entry = entries.get(nameOf(key));
      return entry && entry.state !== 'failed' ? entry.pulled_at : undefined;
    },
    note(news, now, pull_id) {
      const changed: PeriodKey[] = [];
      let has_news = false;
      const rows = news.map((item): FlatRow => {
        const before = entries.get(nameOf(item));
        // A day that is here stays here when asking again fails; only the error is new, and it is soon asked again.
        const kept = before?.state === 'pulled' && item.state === 'failed' ? before : undefined;
        const isChanged = !kept && before !== undefined && before.hash !== item.hash;
        if (isChanged) changed.push(item);
        if (!kept && (!before || isChanged || before.state !== item.state)) has_news = true;
        const entry: Entry = kept ?? {
          pulled_at: now,
          first_pulled_at: before?.first_pulled_at ?? now,
          changed_at: before && !isChanged ? before.changed_at : now,
          hash: item.hash,
          state: item.state,
          rows: item.rows,
        };
        entries.set(nameOf(item), entry);
        return { account, ...item, ...entry, total: item.total ?? null, error: item.error ?? null, pull_id };
      });
      return { rows, changed, has_news };
    },
  };
}

const entryOf = (row: Row): Entry => ({
  pulled_at: seconds(row.pulled_at),
  first_pulled_at: seconds(row.first_pulled_at),
  changed_at: seconds(row.changed_at),
  hash: String(row.hash),
  state: row.state as PeriodNews['state'],
  rows: Number(row.rows),
});

const pulls = tableOf('ledger', 'pulls');

/** Opens the run's row; a run that a crash cut off is named so. True when there was one: it may have loaded rows that nobody saw. */
export async function beginPull(engine: Engine, account: string, pull_id: string, now: number): Promise<boolean> {
  const [cutOff] = await engine.query(
    `select pull_id from ledger.pulls where state = 'running' and account = ${engine.dialect.param('account', 'text')} limit 1`,
    { account },
  );
  await engine.exec(
    `update ledger.pulls set state = 'cut_off' where state = 'running' and account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  await engine.load(pulls, [pullRow(account, pull_id, now, null, 'running', emptyTally(), null)], {
    replacing: pulls.key,
  });
  return cutOff !== undefined;
}

export interface Tally {
  requests: number;
  chats_new: number;
  chats_changed: number;
  chats_unchanged: number;
}
export const emptyTally = (): Tally => ({ requests: 0, chats_new: 0, chats_changed: 0, chats_unchanged: 0 });

export async function endPull(
  engine: Engine,
  account: string,
  pull_id: string,
  times: { started: number; ended: number },
  tally: Tally,
  error: string | null,
): Promise<void> {
  const row = pullRow(account, pull_id, times.started, times.ended, error ? 'failed' : 'done', tally, error);
  await engine.load(pulls, [row], { replacing: pulls.key });
}

const pullRow = (
  account: string,
  pull_id: string,
  started_at: number,
  ended_at: number | null,
  state: 'running' | 'done' | 'failed',
  tally: Tally,
  error: string | null,
): FlatRow => ({ account, pull_id, started_at, ended_at, state, ...tally, error });
