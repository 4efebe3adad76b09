// A page goes out when it has waited long enough, and with everything where nobody is kept waiting.
import { expect, it, vi } from 'vitest';
import { forEverything, inTime, pageWait, wholeAddress } from '#lib/page-wait.ts';
import { pageWaitFor } from '#server/page-wait.ts';

const at = (path: string): URL => new URL(path, 'http://127.0.0.1:3000');

it('does not wait for what comes later than that, and takes what comes in time', async () => {
  vi.useFakeTimers();
  try {
    const wait = pageWait(120, at('/queue'));
    const after = (ms: number) => new Promise<number>((resolve) => setTimeout(resolve, ms, ms));
    const both = Promise.all([inTime(after(100), wait), inTime(after(150), wait)]);
    await vi.advanceTimersByTimeAsync(120);
    const [early, late] = await both;
    expect(early).toEqual({ value: 100 });
    expect('late' in late).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

it('waits for everything where the account is small, where it is asked to, and for what is no page', async () => {
  expect(pageWaitFor(100_000)).toBeNull();
  expect(pageWaitFor(100_001)).toBe(120);
  expect(pageWait(null, at('/queue'))).toBe(forEverything);
  expect(pageWait(120, at(wholeAddress(at('/queue?group=2'))))).toBe(forEverything);
  expect(wholeAddress(at('/queue?group=2'))).toBe('/queue?group=2&whole=');
  expect(await inTime(Promise.resolve(1), forEverything)).toEqual({ value: 1 });
});
