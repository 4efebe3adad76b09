// Counters of a running pull; they become its row in ledger.pulls.

export interface Tally {
  /** Attempts sent, answered or not. */
  requests: number;
  /** Attempts that gave nothing usable. */
  faults: number;
  chats_new: number;
  chats_changed: number;
  chats_unchanged: number;
  /** Records set aside in ledger.quarantine. */
  quarantined: number;
}

export const emptyTally = (): Tally => ({
  requests: 0,
  faults: 0,
  chats_new: 0,
  chats_changed: 0,
  chats_unchanged: 0,
  quarantined: 0,
});
