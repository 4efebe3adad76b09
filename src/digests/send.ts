// One send: to whom it goes by which channel, what became of it, and whether it is to be tried now.
import { unnoticed_ms } from '#warehouse/store/redated.ts';

export const states = ['waiting', 'held', 'retrying', 'sending', 'sent', 'failed', 'unknown'] as const;
/** `unknown`: it was handed over, and the answer was lost; only a person may send it again. */
type SendState = (typeof states)[number];

export interface SendKey {
  digest: string;
  /** Label of the period. */
  period: string;
  reader: string;
  channel: string;
}

export interface Send extends SendKey {
  state: SendState;
  /** Unix seconds. */
  due_at: number;
  is_late: boolean;
  /** Sent by hand despite an objection: it states the objection instead of waiting. */
  is_forced: boolean;
  /** The snapshot of its numbers; null until it is first rendered. */
  snapshot: string | null;
  /** The digest as it was then, the sentences above the numbers, and the send that restatements are held against: JSON. */
  made: string | null;
  message_id: string | null;
  attempts: number;
  /** Unix seconds. */
  first_at: number | null;
  next_at: number;
  sent_at: number | null;
  /** Why it is held, retried, failed or unknown. */
  reason: string | null;
  updated_at: number;
}

/** A list entry, without the potentially long inputs, which are read individually. */
export type NotedSend = Omit<Send, 'made'>;

/** What was noted so much later than now, in seconds, was noted by a clock that ran ahead. */
export const unnoticed_seconds = unnoticed_ms / 1000;

/** Whether to try it now, in Unix seconds. What a clock that ran ahead put off does not wait for it, but for the time at which it is due. */
export const isReady = ({ state, due_at, next_at, updated_at }: Send, now: number): boolean =>
  (state === 'waiting' || state === 'held' || state === 'retrying') &&
  due_at <= now + unnoticed_seconds &&
  (next_at <= now || updated_at > now + unnoticed_seconds);
