// The outcome of a delivery, and when to retry it.

export type DeliveryOutcome =
  | { kind: 'sent' }
  /** It was not taken, and later it may be. `asked`: how long the receiver wants not to be asked. */
  | { kind: 'retry'; reason: string; asked?: AskedWait }
  /** It was refused for good. */
  | { kind: 'failed'; reason: string }
  /** It was handed over, and the answer was lost. */
  | { kind: 'unknown'; reason: string };

/** As the headers of an answer say it. */
export interface AskedWait {
  /** `Retry-After`: seconds or a date. */
  retry_after: string;
  /** `Date`: when that was, by the clock of the receiver. */
  date: string | undefined;
}

const first_seconds = 60;
const longest_seconds = 3600;
const give_up_seconds = 86_400;

/** Seconds until the next attempt after `attempts`, or undefined once a day has passed since the first. */
export function retryBudget(attempts: number, first_at: number, now: number): number | undefined {
  if (now - first_at >= give_up_seconds) return undefined;
  const wait = Math.min(longest_seconds, first_seconds * 2 ** Math.max(0, attempts - 1));
  return Math.min(wait, first_at + give_up_seconds - now);
}

/** Seconds that a receiver asks to be left alone, a day at most; 0 where what it says is neither seconds nor a date to come. */
export function askedSeconds({ retry_after, date }: AskedWait, now: number): number {
  const seconds = /^\s*\d+\s*$/.test(retry_after)
    ? Number(retry_after)
    : (Date.parse(retry_after) - (Date.parse(date ?? '') || now * 1000)) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.ceil(Math.min(Math.max(0, seconds), give_up_seconds));
}
