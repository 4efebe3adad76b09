// The outcome of a delivery, and when to retry it.

export type DeliveryOutcome =
  | { kind: 'sent' }
  /** It was not taken, and later it may be. */
  | { kind: 'retry'; reason: string }
  /** It was refused for good. */
  | { kind: 'failed'; reason: string }
  /** It was handed over, and the answer was lost. */
  | { kind: 'unknown'; reason: string };

const first_seconds = 60;
const longest_seconds = 3600;
const give_up_seconds = 86_400;

/** Seconds until the next attempt after `attempts`, or undefined once a day has passed since the first. */
export function retryBudget(attempts: number, first_at: number, now: number): number | undefined {
  if (now - first_at >= give_up_seconds) return undefined;
  const wait = Math.min(longest_seconds, first_seconds * 2 ** Math.max(0, attempts - 1));
  return Math.min(wait, first_at + give_up_seconds - now);
}
