// The state of archive days that arrive in parts, until their last part.
import type { FlatRow } from '../decode/chats.ts';
import type { Bounds } from '../decode/record.ts';
import type { Cost } from '../fetched.ts';

/** A version of a chat that the facts hold already. */
export interface StoredChat {
  content_hash: string;
  started_quarter: number;
}

/** A day of which more parts may follow. */
export interface OpenDay {
  bounds: Bounds;
  /** Chats that the facts hold for the day and that have not been received again yet. */
  stored: Map<string, StoredChat>;
  /** Chats received, as the facts now hold them; null for a record that could not be decoded. */
  seen: Map<string, StoredChat | null>;
  /** Content hashes of the received chats, by id. */
  hashes: Map<string, string>;
  rows_new: number;
  rows_changed: number;
  cost: Cost;
}

/** The same of a day of list_archives that is only compared with the facts. */
export interface ComparedDay {
  bounds: Bounds;
  /** Ids of the threads that came. */
  seen: Set<string>;
  misfits: Set<string>;
  /** Rows of ledger.source_differences by chat. */
  differences: Map<string, FlatRow[]>;
  cost: Cost;
}
