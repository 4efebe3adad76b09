// Recomputed equals reported: one seed and the week around a daylight-saving switch; `npm run check:zones` does the rest.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tries } from '../chance.ts';
import { agreeAtRandom } from './random.ts';
import { compareAll, filtersOf, subjectOf, type Subject } from './agree.ts';

/** The week around 25 October 2026, when Warsaw's clocks go back. */
const now = Date.parse('2026-10-29T09:13:05Z') / 1000;
let subject: Subject;
beforeAll(async () => {
  subject = await subjectOf(1, 'Europe/Warsaw', 12, now);
});
afterAll(() => subject.close());

test('every metric that the archive gives equals the report of the service, each day and hour around a switch', async () => {
  const zones = ['Europe/Warsaw', 'UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
  const found = await compareAll(
    subject,
    zones,
    { from: '2026-10-22', to: '2026-10-28' },
    await filtersOf(subject, tries(1, 3)),
  );
  expect(found.differences).toEqual([]);
  expect(found.cells).toBeGreaterThan(9000);
});

test('for random small accounts around switches of random zones every cell agrees', async () => {
  expect(await agreeAtRandom(tries(6, 15))).toBeGreaterThan(tries(4_000, 10_000));
});
