// What fetching passes on to archiving, decoding and loading: each attempt as received, its cost, and why it failed.
import { Final, Garbled, Retryable, Unreachable } from './errors.ts';
import type { ListUnit, PullUnit } from './unit.ts';

/** The result of one attempt, whatever it was, and its cost. A plain value. */
export interface ReceivedResponse {
  path: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Response headers in lower case, only `keptHeaders`. */
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

/** Cost of the requests behind a day; one request may serve several days. */
export interface Cost {
  attempts: number;
  bytes: number;
  milliseconds: number;
}

/**
 * The result of a unit, as plain values. A long archive day arrives as several of these in a row, each with the same unit; all but the
 * last have `isPart`. `failure` is set if the unit as a whole returned nothing usable or, on the last part of a day, if pages of it are
 * missing for now.
 */
export interface Gathered<U = PullUnit | ListUnit> {
  unit: U;
  /** Every attempt in the order of completion: archived raw if it has a status, and counted in the ledger. */
  answers: ReceivedResponse[];
  /** What all attempts took, when `answers` does not hold them all. */
  cost?: Cost;
  /** The parsed bodies that are decoded; of usable answers only. */
  bodies: unknown[];
  /**
   * Archive only: pages whose records are parsed during decoding, page by page, after `bodies`; the same objects as in `answers`. Parsing
   * late keeps memory small; a hundred waiting parsed pages take a hundred megabytes.
   */
  pages?: readonly PageText[];
  /** Archive only, from the raw archive: records that are parsed one at a time when they are decoded, after `pages`. */
  records?: readonly StoredRecord[];
  failure?: Failure;
  /** Archive only: more pages of the same day follow. Results for the whole day come with the last part. */
  isPart?: true;
  /** Archive only, last part: the number of chats that the source named. */
  total?: number;
  /** Archive only, last part: why chats of the day can not be reached at all, in one sentence. */
  shortfall?: string;
}

/** A page of an archive as received. */
export type PageText = Pick<ReceivedResponse, 'body'>;

/** A record of an archive page as the raw archive keeps it. */
export interface StoredRecord {
  text: string;
  /** SHA-1 of an object's text, base64url. */
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

/** The failure of a unit for an error. Errors that fetching does not know are treated as a fault of the answer. */
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
