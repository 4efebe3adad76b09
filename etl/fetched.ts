// What fetching hands over to archive, decoding and loading: each attempt as received, what it cost, and why it failed.
import { Final, Garbled, Retryable, Unreachable } from './errors.ts';
import type { ListUnit, PullUnit } from './unit.ts';

/** What one attempt brought, whatever it was, and what it cost. A plain value. */
export interface ReceivedResponse {
  path: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Of the headers that came, lower case, only `keptHeaders`. */
  headers: Record<string, string>;
  /** As far as it was read; of one that was too large only the first megabyte. */
  body: string;
  /** Bytes of the body over the wire. */
  bytes: number;
  milliseconds: number;
  /** 1-based number of this attempt at the question. */
  attempts: number;
  /** Unix seconds. */
  asked_at: number;
  /** Why this attempt gave no answer that can be used; null when it did. */
  error: string | null;
}

/** What the requests behind a day took; one request may serve several days. */
export interface Cost {
  attempts: number;
  bytes: number;
  milliseconds: number;
}

/**
 * What came back for a unit: plain values. A long archive day comes as several of these in a row, each with the same
 * unit; all but the last have `isPart`. `failure` is set when the unit as a whole gave nothing that can be used, or,
 * with the last part of a day, when pages of it are missing for now.
 */
export interface Gathered<U = PullUnit | ListUnit> {
  unit: U;
  /** Every attempt in the order in which it ended: kept raw when a status came, and counted in the ledger. */
  answers: ReceivedResponse[];
  /** What all attempts took, when `answers` does not hold them all. */
  cost?: Cost;
  /** The parsed bodies that are decoded; of usable answers only. */
  bodies: unknown[];
  /**
   * Archive only: bodies that are parsed one at a time when they are decoded, after `bodies`. What is parsed and let go
   * at once costs little memory; a hundred parsed pages that wait cost a hundred megabytes.
   */
  texts?: string[];
  /** Archive only, from the raw archive: records that are parsed one at a time when they are decoded, after `texts`. */
  records?: readonly StoredRecord[];
  failure?: Failure;
  /** Archive only: more pages of the same day follow. What the day as a whole says comes with the last part. */
  isPart?: true;
  /** Archive only, last part: the number of chats that the source named. */
  total?: number;
  /** Archive only, last part: why chats of the day can not be reached at all, in one sentence. */
  shortfall?: string;
}

/** A record of an archive page as the raw archive keeps it. */
export interface StoredRecord {
  text: string;
  /** Of an object: SHA-1 of the text, base64url. */
  hash?: string;
  /** The pull that brought it first, where that may be another than the one that is played back. */
  pull_id?: string;
}

export interface Failure {
  state: 'failed' | 'not_in_plan' | 'gone' | 'quarantined';
  status: number;
  message: string;
}

export const costOf = ({ answers, cost }: Pick<Gathered, 'answers' | 'cost'>): Cost =>
  cost ?? {
    attempts: answers.length,
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
    milliseconds: answers.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  };

/** What an error means for the unit. Anything that is no error of fetching is a mistake of the answer. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof Final || error instanceof Retryable ? error.status : 0;
  if (error instanceof Garbled) return { state: 'quarantined', status, message };
  if (status === 403) return { state: 'not_in_plan', status, message };
  if (status === 404 || status === 410) return { state: 'gone', status, message };
  if (error instanceof Final || error instanceof Retryable || error instanceof Unreachable)
    return { state: 'failed', status, message };
  return { state: 'quarantined', status: 200, message };
}
