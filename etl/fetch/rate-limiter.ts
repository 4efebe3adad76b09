// The rate limiter of one account: a token bucket whose rate halves when the source throttles, and recovers slowly.

export interface RateLimiter {
  /** Resolves when the next request may be sent. */
  turn(): Promise<void>;
  /** The source answered. */
  answered(): void;
  /** The source said "too many": all requests wait that long (seconds) and then leave at half the rate. */
  tooFast(after_seconds: number): void;
  /** Requests a second that are allowed now; Infinity without a limit. */
  rate(): number;
}

/** The lowest rate: a tenth of the limit, or ten requests a second without a limit. */
const least_share = 0.1;
const slowest_without_limit = 10;
/** The rate rises by a quarter after this many successes in a row: one refusal in fifty leaves it near its limit. */
const answers_a_step = 10;
const step = 1.25;
/** Several refusals of requests that were under way together count once. */
const one_refusal_ms = 1000;
/** The rate at which a source without a limit, once it has refused, counts as unlimited again. */
const as_good_as_unlimited = 200;
const longest_pause_seconds = 300;
/** The bucket fills up to this many milliseconds' worth of tokens while idle. */
const rest_ms = 200;

export interface Timer {
  /** Milliseconds; only differences count. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** `limit` in requests a second; null: as fast as answers arrive until the source throttles. */
export function createRateLimiter(limit: number | null, timer: Timer): RateLimiter {
  const most = limit ?? Infinity;
  const least = limit === null ? slowest_without_limit : limit * least_share;
  let rate = most;
  /** When the bucket holds the next token. */
  let next = 0;
  let paused_until = 0;
  let refused_at = -Infinity;
  let in_a_row = 0;
  let sent: number[] = [];
  const pause = (): number => paused_until - timer.now();
  /** Takes a token and returns the milliseconds until it is available. */
  const take = (): number => {
    if (rate === Infinity) return 0;
    const now = timer.now();
    next = Math.max(next, now - rest_ms);
    const wait = next - now;
    next += 1000 / rate;
    return wait;
  };
  return {
    async turn() {
      do {
        for (let wait = pause(); wait > 0; wait = pause()) await timer.sleep(wait);
        const wait = take();
        if (wait > 0) await timer.sleep(wait);
      } while (pause() > 0);
      sent.push(timer.now());
      if (sent.length > 2 * as_good_as_unlimited) sent = sent.slice(-as_good_as_unlimited);
    },
    answered() {
      in_a_row += 1;
      if (in_a_row < answers_a_step || rate >= most) return;
      in_a_row = 0;
      rate = Math.min(most, rate * step);
      if (most === Infinity && rate > as_good_as_unlimited) rate = Infinity;
    },
    tooFast(after_seconds) {
      const now = timer.now();
      paused_until = Math.max(paused_until, now + Math.min(after_seconds, longest_pause_seconds) * 1000);
      next = Math.max(next, paused_until);
      in_a_row = 0;
      if (now - refused_at < one_refusal_ms) return;
      refused_at = now;
      const in_the_last_second = sent.filter((at) => at > now - 1000).length;
      rate = Math.max(least, Math.min(rate, in_the_last_second) / 2);
    },
    rate: () => rate,
  };
}
