// What the ledger knows of a period, a day of one source, grain and split: its name, and the news that a pull brings.
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
  /** Of an archive day, which chats were new; of anything else it is known from the hash. */
  rows_new?: number;
  rows_changed?: number;
  total?: number | undefined;
  error?: string | undefined;
  /** Records of it that were set aside: it is asked again, as what failed is. */
  misfits?: number;
  cost: Cost;
}
