// How fast an account may be asked, with a clock that only moves when somebody sleeps.
import { expect, test } from 'vitest';
import { createPace, type Timer } from '#etl/fetch/pace.ts';

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
async function sent(count: number, pace: ReturnType<typeof createPace>, timer: Timer): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await pace.turn();
    times.push(timer.now());
    pace.answered();
  }
  return times;
}

test('five requests a second leave every 200 ms, also after a rest', async () => {
  const timer = sleepingTimer();
  const pace = createPace(5, timer);
  const times = await sent(20, pace, timer);
  expect(times.at(-1)).toBeGreaterThanOrEqual(3600);
  await timer.sleep(60_000);
  const later = await sent(10, pace, timer);
  // A rest saves up one request and not sixty seconds of them.
  expect((later.at(-1) ?? 0) - (later[0] ?? 0)).toBeGreaterThanOrEqual(1600);
});

test('without a limit nothing waits until the source refuses', async () => {
  const timer = sleepingTimer();
  const pace = createPace(null, timer);
  expect((await sent(500, pace, timer)).at(-1)).toBe(0);
  pace.tooFast(0);
  expect(pace.rate()).toBeGreaterThan(50);
  expect(pace.rate()).toBeLessThan(250);
});

test('a refusal halves the pace, refusals at the same time count once, and a tenth of the limit is the least', async () => {
  const timer = sleepingTimer();
  const pace = createPace(8, timer);
  await sent(40, pace, timer);
  pace.tooFast(0);
  pace.tooFast(0);
  expect(pace.rate()).toBe(4);
  for (let time = 0; time < 10; time += 1) {
    await timer.sleep(2000);
    pace.tooFast(0);
  }
  expect(pace.rate()).toBeCloseTo(0.8);
});

test('after refusals the pace comes back slowly, up to the limit and no further', async () => {
  const timer = sleepingTimer();
  const pace = createPace(8, timer);
  await sent(40, pace, timer);
  pace.tooFast(0);
  await sent(9, pace, timer);
  expect(pace.rate()).toBe(4);
  await sent(1, pace, timer);
  expect(pace.rate()).toBe(5);
  await sent(200, pace, timer);
  expect(pace.rate()).toBe(8);
});

test('Retry-After holds up everything to the account, not only the request that was refused', async () => {
  const timer = sleepingTimer();
  const pace = createPace(null, timer);
  await pace.turn();
  pace.tooFast(30);
  expect((await sent(1, pace, timer))[0]).toBe(30_000);
  // And it holds up no longer than five minutes.
  pace.tooFast(3600);
  expect((await sent(1, pace, timer))[0]).toBe(330_000);
});
