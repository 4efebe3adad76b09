// The ledger's entry of one day, and how a new answer changes it. Pure.
import type { Row } from '#warehouse/engine.ts';
import type { ArchiveSpan } from '../raw/span.ts';
import type { PeriodNews } from './period.ts';

export interface LedgerEntry {
  /** Null if it was never received. */
  received_at: number | null;
  asked_at: number;
  failures: number;
  first_pulled_at: number;
  changed_at: number;
  hash: string;
  state: PeriodNews['state'];
  rows: number;
}

/** Also what this pull received itself, since `started`. */
export const isHeld = ({ received_at }: LedgerEntry, held: ArchiveSpan | undefined, started: number): boolean =>
  !held || received_at === null || received_at >= started || (received_at >= held.from && received_at <= held.to);

const seconds = (instant: unknown): number => Math.floor(Date.parse(String(instant)) / 1000);

export const isRefusal = (state: PeriodNews['state']): boolean => state === 'not_in_plan' || state === 'gone';

/** Asked without a usable answer: it will be asked again. */
const isMissing = (state: unknown): boolean => state !== 'pulled';

export const entryOf = (row: Row): LedgerEntry => ({
  received_at: isMissing(row.state) ? null : seconds(row.pulled_at),
  asked_at: seconds(row.asked_at ?? row.pulled_at),
  failures: Number(row.failures ?? 0),
  first_pulled_at: seconds(row.first_pulled_at),
  changed_at: seconds(row.changed_at),
  hash: String(row.hash),
  state: row.state as PeriodNews['state'],
  rows: Number(row.rows),
});

/** A time recorded while the clock ran ahead is treated as long ago, so that nothing waits for it. */
export const believed = (entry: LedgerEntry, now: number): LedgerEntry =>
  entry.asked_at > now
    ? {
        ...entry,
        asked_at: 0,
        received_at: entry.received_at !== null && entry.received_at > now ? 0 : entry.received_at,
      }
    : entry;

export function entryAfter(before: LedgerEntry | undefined, item: PeriodNews, now: number) {
  const failures = isMissing(item.state) || item.misfits ? (before?.failures ?? 0) + 1 : 0;
  // A received day stays when a repeated request fails; only the error is new, and it is soon asked again.
  if (before?.state === 'pulled' && isMissing(item.state))
    return { entry: { ...before, asked_at: now, failures }, isChanged: false, isNews: hasNewRows(item) };
  const isChanged = before !== undefined && before.hash !== item.hash;
  const entry: LedgerEntry = {
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

/** An archive day brings chats even if only some pages could be read. */
const hasNewRows = ({ rows_new = 0, rows_changed = 0 }: PeriodNews): boolean => rows_new + rows_changed > 0;

/** A report that changed in any way counts all its rows as changed. */
export function countsOf(item: PeriodNews, before: LedgerEntry | undefined, isChanged: boolean) {
  const isNew = before?.state !== 'pulled';
  const rows_new = item.rows_new ?? (isNew ? item.rows : 0);
  const rows_changed = item.rows_changed ?? (!isNew && isChanged ? item.rows : 0);
  return { rows_new, rows_changed, rows_unchanged: Math.max(0, item.rows - rows_new - rows_changed) };
}
