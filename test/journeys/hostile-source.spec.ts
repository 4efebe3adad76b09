// A short round of the drill of hostile sources; `npm run drill:hostile` plays all of them.
import { expect, test } from '@playwright/test';
import { bounds, meet } from '../drills/hostile.ts';

/** Other tests run beside it: waits are longer than on a machine that does nothing else. */
const patient = { ...bounds, health_ms: 15_000, end_seconds: 25 };

test('a source with odd ids and names is pulled from, and everything made of it is answered', async () => {
  const { failures, good } = await meet('odd_ids', true, patient);
  expect(failures).toEqual([]);
  expect(good).toBeGreaterThan(10);
});
