// What a page did not wait for goes on when the page is out, for a while; a reader who hangs up ends it at once.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endOutliving, openScope, outlive } from '#server/request-scope.ts';
import { currentSignal } from '#warehouse/cancellation.ts';
import { currentRequester } from '#warehouse/requester.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A question under way for so long, and whether it was ended before. */
function question(ms: number): { isEnded: () => boolean } {
  const signal = currentSignal();
  void outlive(new Promise((resolve) => setTimeout(resolve, ms)));
  return { isEnded: () => signal?.aborted ?? false };
}

it('lets questions go on to their end behind a whole answer', async () => {
  const scope = openScope();
  const [short, long] = scope.run(() => [question(50), question(2000)] as const);
  await vi.advanceTimersByTimeAsync(100);
  scope.leave();
  await vi.advanceTimersByTimeAsync(1800);
  expect([short.isEnded(), long.isEnded()]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(200);
  expect(long.isEnded()).toBe(true);
});

it('ends them when nobody has asked again for three seconds', async () => {
  const scope = openScope();
  const endless = scope.run(() => question(60_000));
  scope.leave();
  await vi.advanceTimersByTimeAsync(2900);
  expect(endless.isEnded()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(endless.isEnded()).toBe(true);
});

it('ends them when the program ends', () => {
  const scope = openScope();
  const endless = scope.run(() => question(60_000));
  scope.leave();
  endOutliving();
  expect(endless.isEnded()).toBe(true);
});

it('ends at once where nothing is under way, and where the reader has left', async () => {
  const idle = openScope();
  const signal = idle.run(() => currentSignal());
  idle.leave();
  expect(signal?.aborted).toBe(true);
  const left = openScope();
  const long = left.run(() => question(3000));
  left.end();
  expect(long.isEnded()).toBe(true);
  await vi.advanceTimersByTimeAsync(20_000);
});

it('what is asked for one page is one requester, and everything else its own', () => {
  const asking = (page?: string) => openScope(page).run(() => currentRequester());
  const page = asking('//host/queue of ann');
  expect(asking('//host/queue of ann')).toBe(page);
  expect(asking('//host/queue of bob')).not.toBe(page);
  expect(asking()).not.toBe(asking());
});
