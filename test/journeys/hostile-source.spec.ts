// A short round of the drill of hostile sources; `npm run drill:hostile` plays all of them.
import { expect, test } from '@playwright/test';
import { bounds, meet } from '../drills/hostile.ts';

/** Other tests run beside it: waits are longer than on a machine that does nothing else. */
const patient = { ...bounds, health_ms: 15_000, end_seconds: 25 };

for (const mode of ['inherited_names', 'odd_ids'])
  test(`a source of the mode ${mode} is pulled from, and everything made of it is answered`, async () => {
    test.setTimeout(240_000);
    const { failures, good } = await meet(mode, true, patient);
    expect(failures).toEqual([]);
    expect(good).toBeGreaterThan(10);
  });
