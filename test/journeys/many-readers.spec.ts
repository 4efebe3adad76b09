// Some seconds of the drill of many readers. What depends on a quiet machine or on time is held by the drill alone.
import { expect, test } from '@playwright/test';
import { readersDrill } from '../drills/readers.ts';

test('twenty readers who ask anything are answered or refused, and leave nothing behind', async () => {
  test.setTimeout(900_000);
  const fared = await readersDrill(
    {
      ...{ seconds: 6, readers: 20, seed: 7, days: 5, pull_seconds: 2, rest_seconds: null },
      ports: { web: 3351, service: 4351 },
    },
    () => undefined,
  );
  const ofTheMachine = /^(health took|SIGTERM took)/;
  expect(fared.failures.filter((failure) => !ofTheMachine.test(failure))).toEqual([]);
  expect(fared.requests).toBeGreaterThan(100);
  expect(fared.health_ms.failed).toBe(0);
  expect(fared.snapshots).toBeGreaterThan(1);
});
