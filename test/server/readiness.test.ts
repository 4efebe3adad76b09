// Requests may be sent to `start` once the source answers and a writer has opened its files, until it is told to end.
import { expect, test } from 'vitest';
import { watchReadiness } from '#server/readiness.ts';

test('a writer makes it ready, and nothing but the end takes that back', () => {
  const readiness = watchReadiness();
  expect(readiness.missing()).toMatch(/source/);
  readiness.scheduled();
  expect(readiness.missing()).toMatch(/no writer has opened the warehouse/);
  readiness.writing();
  expect(readiness.missing()).toBe(null);
  readiness.scheduled();
  expect(readiness.missing()).toBe(null);
  readiness.ending();
  expect(readiness.missing()).toMatch(/ending/);
  readiness.writing();
  expect(readiness.missing()).toMatch(/ending/);
});
