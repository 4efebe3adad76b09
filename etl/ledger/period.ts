// A period in the ledger (a day of one source, grain and split): its key, and the news from a pull.
import type { Cost } from '../fetched.ts';

/** By which the ledger tells periods apart. */
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
  /** For archive days, the number of new chats; otherwise the hash tells whether anything is new. */
  rows_new?: number;
  rows_changed?: number;
  total?: number | undefined;
  error?: string | undefined;
  /** Number of quarantined records: the day is asked again like a failed one. */
  misfits?: number;
  cost: Cost;
}
