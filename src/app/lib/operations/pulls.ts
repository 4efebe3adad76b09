// What the API says of pulls, snapshots and restatements, as the operations page reads it.

export interface RunningPull {
  account: string;
  stage: string | null;
  done: number;
  total: number;
  started_at: string;
  per_second: number | null;
  seconds_left: number | null;
}

export interface EndedPull {
  account: string;
  pull_id: string;
  started_at: string;
  ended_at: string | null;
  state: 'running' | 'done' | 'failed' | 'cut_off';
  requests: number;
  faults: number | null;
  chats_new: number;
  chats_changed: number;
  chats_unchanged: number;
  error: string | null;
}

export interface FailedUnit {
  source: string;
  split: string;
  split_value: string;
  grain: string;
  from: string;
  to: string;
  days: number;
  questions: number;
  state: 'failed' | 'not_in_plan' | 'gone' | 'quarantined';
  error: string | null;
  last_asked_at: string;
  what_to_do: string;
  needs_you: boolean;
}

export interface Quarantined {
  source: string;
  record_id: string;
  records: number;
  reason: string;
  seen_at: string;
}

export interface Notice {
  source: string;
  header: string;
  value: string;
  first_seen_at: string;
}

/** How the last pull of an account ended. */
export interface AccountEnd {
  account: string;
  ended_at: string | null;
  state: 'done' | 'failed' | 'cut_off' | null;
  error: string | null;
  failed: number;
  quarantined: number;
}

export interface Pulls {
  snapshot: string | null;
  running: RunningPull[];
  accounts: AccountEnd[];
  pulls: EndedPull[];
  failed: FailedUnit[];
  more_failed: number;
  quarantined: Quarantined[];
  more_quarantined: number;
  notices: Notice[];
}

export interface Snapshot {
  id: string;
  published_at: string;
  bytes: number;
  pinned: string | null;
  is_current: boolean;
}

export interface Snapshots {
  snapshots: Snapshot[];
  bytes: number;
  space: number;
}

export interface Restatement {
  metric: string;
  period: string;
  split: string;
  split_value: string;
  measure: string;
  was: number | null;
  is: number | null;
  difference: number | null;
  chats: { chat_id: string; what: string[] }[];
  more_chats: number;
}

export interface Restatements {
  /** Null: no kept snapshot is fit to be compared with. */
  from_snapshot: { id: string; published_at: string } | null;
  to_snapshot: { id: string; published_at: string };
  restatements: Restatement[];
}

/** 12.4 MB, 1.2 GB. */
export function sizeOf(bytes: number, locale: string): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [size, place] = [bytes / 1000, 0];
  while (size >= 1000 && place < units.length - 1) [size, place] = [size / 1000, place + 1];
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: size < 100 ? 1 : 0 }).format(size)} ${units[place]}`;
}
