// The retry budget of a pull: how long it waits to ask again, for one request and in all. A broken source cannot hold it.
import { Garbled, Misdirected, Retryable, Silent } from '../errors.ts';

/** Waiting for an answer, and asking again after a fault. Milliseconds and seconds as the names say. */
export interface Retrying {
  /** For the connection, for the headers, and for the answer as a whole. */
  timeout_ms: number;
  /** The first wait; each next one is twice as long, and up to twice that by chance. */
  first_ms: number;
  longest_ms: number;
  /** Most waiting for one request. */
  request_seconds: number;
  /** Maximum waiting time of a pull: a base, plus an amount for each usable answer. */
  pull_seconds: number;
  answer_seconds: number;
}

export const retrying: Retrying = {
  timeout_ms: 15_000,
  first_ms: 500,
  longest_ms: 15_000,
  request_seconds: 120,
  pull_seconds: 300,
  answer_seconds: 2,
};

/** Tries at one question, the first included. */
export const most_tries = 6;
const tries_at_garbled = 3;
/** A wrong address is reported quickly; a source that has already answered in this pull gets more time. */
const tries_at_silent = 3;

/** A longer wait that the source asks for ends the pull; the next one goes on from there. */
export const longest_pause_seconds = 300;

interface RetryBudget {
  /** An answer could be used: the budget of the pull grows. */
  answered(): void;
  /** The budget of one request, within that of the pull. */
  request(): { isWorthAnother(error: unknown, tries: number, delay_ms: number): boolean };
}

export function createRetryBudget(limits: Retrying = retrying): RetryBudget {
  let waited = 0;
  let answers = 0;
  const triesAt = (error: Retryable): number => {
    if (error instanceof Garbled) return tries_at_garbled;
    if (error instanceof Silent && answers === 0) return tries_at_silent;
    return most_tries;
  };
  return {
    answered: () => void (answers += 1),
    request() {
      let own = 0;
      return {
        isWorthAnother(error, tries, delay_ms) {
          if (!(error instanceof Retryable) || tries >= triesAt(error)) return false;
          if (error.after_seconds > longest_pause_seconds) return false;
          const seconds = error instanceof Misdirected ? 0 : delay_ms / 1000 + error.after_seconds;
          const all = limits.pull_seconds + answers * limits.answer_seconds;
          if (own + seconds > limits.request_seconds + error.after_seconds || waited + seconds > all) return false;
          own += seconds;
          waited += seconds;
          return true;
        },
      };
    },
  };
}
