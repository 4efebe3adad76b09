// A batch of answers loaded together: their source, their time of arrival, their target tables and their periods.
import type { Store } from '#warehouse/engine.ts';
import type { ErasureFilter } from '../erased/erased.ts';
import type { Cost, Failure } from '../fetched.ts';
import type { PullLedger, LedgerChanges } from '../ledger/ledger.ts';
import type { PeriodKey, PeriodNews } from '../ledger/period.ts';
import type { Redaction } from '../redact/redaction.ts';
import type { Tally } from '../tally.ts';
import { archiveName, type PullUnit } from '../unit.ts';
import type { Bundle, ChatsOnTheWay } from './bundle.ts';

export interface Batch {
  account: string;
  timezone: string;
  pull_id: string;
  /** Unix seconds. */
  now: number;
}

/** The parameters of a batch. */
export interface Loading {
  engine: Store;
  ledger: PullLedger;
  batch: Batch;
  /** Filters erased people out of decoded records. */
  erased: ErasureFilter;
  /** Redaction of texts. */
  redaction: Redaction;
  tally: Tally;
  bundle: Bundle;
  /** Earlier chats that may not be committed yet. */
  previous: ChatsOnTheWay | undefined;
}

export type News = Omit<LedgerChanges, 'rows'>;

export const periodOf = (unit: PullUnit, day: string, { timezone }: Pick<Batch, 'timezone'>): PeriodKey =>
  unit.kind === 'archive'
    ? { timezone, source: archiveName(unit), grain: 'day', split: 'account', split_value: '', day }
    : {
        timezone,
        source: unit.source,
        grain: unit.asked.grain,
        split: unit.asked.split,
        split_value: unit.asked.split_value,
        day,
      };

export const failedPeriods = (
  unit: PullUnit,
  days: readonly string[],
  { state, message }: Pick<Failure, 'state' | 'message'>,
  batch: Batch,
  cost: Cost,
): PeriodNews[] =>
  days.map((day) => ({ ...periodOf(unit, day, batch), state, hash: '', rows: 0, error: message, cost }));
