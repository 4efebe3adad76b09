// How fast an account may be asked, with a clock that only moves when somebody sleeps.
import { expect, test } from 'vitest';
import { createRateLimiter, type Timer } from '#etl/fetch/rate-limiter.ts';

/** Time passes only when somebody sleeps. */
function sleepingTimer(): Timer & { now(): number } {
  let now = 0;
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** Sends so many requests one after the other; returns when each left, in ms. */
async function sent(count: number, limiter: ReturnType<typeof createRateLimiter>, timer: Timer): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await limiter.turn();
    times.push(timer.now());
    limiter.answered();
  }
  return times;
}

test('five requests a second leave every 200 ms, also after a rest', async () => {
  const timer = sleepingTimer();
  const limiter = createRateLimiter(5, timer);
  const times = await sent(20, limiter, timer);
  expect(times.at(-1)).toBeGreaterThanOrEqual(3600);
  await timer.sleep(60_000);
  const later = await sent(10, limiter, timer);
  // A rest saves up one request and not sixty seconds of them.
  expect((later.at(-1) ?? 0) - (later[0] ?? 0)).toBeGreaterThanOrEqual(1600);
});

test('without a limit nothing waits until the source refuses', async () => {
  const timer = sleepingTimer();
  const limiter = createRateLimiter(null, timer);
  expect((await sent(500, limiter, timer)).at(-1)).toBe(0);
  limiter.tooFast(0);
  expect(limiter.rate()).toBeGreaterThan(50);
  expect(limiter.rate()).toBeLessThan(250);
});

test('a refusal halves the rate, refusals at the same time count once, and a tenth of the limit is the least', async () => {
  const timer = sleepingTimer();
  const limiter = createRateLimiter(8, timer);
  await sent(40, limiter, timer);
  limiter.tooFast(0);
  limiter.tooFast(0);
  expect(limiter.rate()).toBe(4);
  for (let time = 0; time < 10; time += 1) {
    await timer.sleep(2000);
    limiter.tooFast(0);
  }
  expect(limiter.rate()).toBeCloseTo(0.8);
});

test('after refusals the rate comes back slowly, up to the limit and no further', async () => {
  const timer = sleepingTimer();
  const limiter = createRateLimiter(8, timer);
  await sent(40, limiter, timer);
  limiter.tooFast(0);
  await sent(9, limiter, timer);
  expect(limiter.rate()).toBe(4);
  await sent(1, limiter, timer);
  expect(limiter.rate()).toBe(5);
  await sent(200, limiter, timer);
  expect(limiter.rate()).toBe(8);
});

test('Retry-After holds up everything to the account, not only the request that was refused', async () => {
  const timer = sleepingTimer();
  const limiter = createRateLimiter(null, timer);
  await limiter.turn();
  limiter.tooFast(30);
  expect((await sent(1, limiter, timer))[0]).toBe(30_000);
  // And it holds up no longer than five minutes.
  limiter.tooFast(3600);
  expect((await sent(1, limiter, timer))[0]).toBe(330_000);
});
