// The ledger of an account: what has been received, when, and whether it changed. Kept in memory during a pull.
import type { Queryable } from '#warehouse/engine.ts';
import { numberOf } from '../days.ts';
import type { FlatRow } from '../decode/chats.ts';
import { settlesAt, type LastPulls } from '../plan/due.ts';
import { countsOf, entryAfter, isHeld, isRefusal } from './entry.ts';
import type { ComparedDay, OpenDay } from './open-days.ts';
import type { PeriodKey, PeriodNews } from './period.ts';
import { quarantineOf, type Quarantine } from './quarantine.ts';
import { readSeries, type SeriesScope } from './series.ts';

export interface PullLedger {
  known: LastPulls;
  /** Why the source as a whole returned nothing within the last day, if it did. */
  refused(source: string): 'not_in_plan' | 'gone' | undefined;
  /** Loads the entries of long-settled days before they are updated. */
  recall(keys: readonly PeriodKey[]): Promise<void>;
  /** Content hash of the last answer for a day; undefined if it was never received. */
  hashOf(key: PeriodKey): string | undefined;
  /** Rows for ledger.periods; remembers the news. */
  note(news: readonly PeriodNews[], now: number, pull_id: string): LedgerChanges;
  quarantine: Quarantine;
  /** Archive days with more parts to come, keyed by their question. */
  open: Map<string, OpenDay>;
  /** The same of days that are only compared. */
  compared: Map<string, ComparedDay>;
}

export interface LedgerChanges {
  rows: FlatRow[];
  /** Days whose content has changed. */
  changed: PeriodKey[];
  /** A day came for the first time, or with another content or state than before. */
  has_news: boolean;
  /** Archive days that came whole for the first time. */
  days_new: number;
  /** Local days that had not settled when they were last received, and settled ones that have changed. */
  touched: string[];
}

/** A source that is refused as a whole is tried once a day. */
const refused_seconds = 86_400;

export async function readLedger(engine: Queryable, scope: SeriesScope): Promise<PullLedger> {
  const { account, timezone, now, held } = scope;
  const book = await readSeries(engine, scope);
  return {
    quarantine: await quarantineOf(engine, account),
    open: new Map(),
    compared: new Map(),
    known: (source, grain, split, split_value) => {
      const key = { timezone, source, grain, split, split_value } as PeriodKey;
      const found = book.find(key);
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
        ...(book.find({ ...accountWide, grain, timezone, source })?.entries.values() ?? []),
      ]);
      const last = entries.reduce((latest, { asked_at }) => Math.max(latest, asked_at), 0);
      if (last <= now - refused_seconds) return undefined;
      // Days received before stay as they are; days never received take the source's refusal.
      const refused = entries.find(({ state, asked_at }) => asked_at === last && isRefusal(state));
      return refused?.state as 'not_in_plan' | 'gone' | undefined;
    },
    recall: book.recall,
    hashOf: (key) => {
      const entry = book.find(key)?.entries.get(key.day);
      return entry?.state === 'pulled' ? entry.hash : undefined;
    },
    note(news, now, pull_id) {
      const changed: PeriodKey[] = [];
      const touched = new Set<string>();
      let has_news = false;
      let days_new = 0;
      const rows = news.map((item): FlatRow => {
        const { cost, misfits: _, ...said } = item;
        const { entries, settled, lost } = book.of(item);
        const before = entries.get(item.day);
        const { entry, isChanged, isNews } = entryAfter(before, item, now);
        if (isChanged && before?.state === 'pulled') changed.push(item);
        has_news ||= isNews;
        if (item.source === 'archive' && item.state === 'pulled' && before?.state !== 'pulled') days_new += 1;
        const wasSettled = before?.received_at && before.received_at >= settlesAt(item.day, scope);
        if (isNews || !wasSettled) touched.add(item.day);
        // A settled day needs no entry of its own, unless it was recalled for a comparison.
        const isSettled = entry.failures === 0 && now >= settlesAt(item.day, scope);
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
      return { rows, changed, has_news, days_new, touched: [...touched] };
    },
  };
}

const accountWide = { split: 'account', split_value: '' } as const;
