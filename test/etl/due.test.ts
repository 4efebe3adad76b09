// When a day is asked again: what has failed waits longer and longer, what has settled is left alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDayRuns } from '#etl/ledger/day-runs.ts';
import { addDays, chunks, daysBetween, endOfMonth, monthOf, numberOf, weekdayOf } from '#etl/days.ts';
import { isDue, isDueTogether, onlyChanged, waitAfter, type LastPulls, type Last } from '#etl/plan/due.ts';
import { at } from './pulled.ts';

const zone = 'UTC';
const day = '2026-05-04';
const asked = (received: string, failures = 0, tried = received): Last => ({
  ...{ received_at: at(received), asked_at: at(tried), failures },
});
const isDueAt = (now: string, last: Last): boolean => isDue(day, last, { timezone: zone, now: at(now) });

test('an open day is asked with every pull, a settling one after an eighth of its age, a complete one once more', () => {
  expect(isDueAt('2026-05-04T10:05:00Z', asked('2026-05-04T10:00:00Z'))).toBe(true);
  // Eight hours after its end: after an hour.
  expect(isDueAt('2026-05-05T08:00:00Z', asked('2026-05-05T07:30:00Z'))).toBe(false);
  expect(isDueAt('2026-05-05T08:00:00Z', asked('2026-05-05T06:30:00Z'))).toBe(true);
  expect(isDueAt('2026-05-12T00:00:00Z', asked('2026-05-11T23:00:00Z'))).toBe(true);
  expect(isDueAt('2026-06-30T00:00:00Z', asked('2026-05-12T00:00:00Z'))).toBe(false);
  expect(isDueAt('2026-06-30T00:00:00Z', 'complete')).toBe(false);
  expect(isDueAt('2026-06-30T00:00:00Z', undefined)).toBe(true);
});

test('where somebody has set how long a day settles, it is asked so long', () => {
  const isDueWith = (settling_days: number, now: string, last: Last): boolean =>
    isDue(day, last, { timezone: zone, now: at(now), settling_days });
  // Nine days after its end, received the day before.
  const received = asked('2026-05-13T00:00:00Z');
  expect([2, 7, 14].map((days) => isDueWith(days, '2026-05-14T12:00:00Z', received))).toEqual([false, false, true]);
  // What was received while it settled is asked once more when it has settled, however long ago.
  const early = asked('2026-05-06T00:00:00Z');
  expect([1, 2, 7].map((days) => isDueWith(days, '2026-06-30T00:00:00Z', early))).toEqual([false, true, true]);
  const together = (settling_days: number): boolean =>
    isDueTogether(day, asked('2026-05-14T11:59:00Z'), {
      timezone: zone,
      now: at('2026-05-14T12:00:00Z'),
      settling_days,
    });
  expect([7, 14].map(together)).toEqual([false, true]);
});

test('what failed is asked by the next pull, then ever more rarely, at least once a day', () => {
  expect([0, 1, 2, 3, 4].map(waitAfter)).toEqual([0, 0, 900, 1800, 3600]);
  expect(waitAfter(50)).toBe(86_400);
  const failed = asked('2026-05-12T00:00:00Z', 3, '2026-06-01T10:00:00Z');
  expect(isDueAt('2026-06-01T10:29:00Z', failed)).toBe(false);
  expect(isDueAt('2026-06-01T10:31:00Z', failed)).toBe(true);
});

test('what this pull has asked is not asked again by it', () => {
  const now = '2026-05-04T10:00:00Z';
  expect(isDueAt(now, asked(now))).toBe(false);
  expect(isDueTogether(day, asked(now), { timezone: zone, now: at(now) })).toBe(false);
  expect(isDueTogether(day, asked('2026-05-04T09:59:00Z'), { timezone: zone, now: at(now) })).toBe(true);
});

test('a second round asks days that changed, and of those only what the first has not asked', () => {
  const started = at('2026-05-10T00:00:00Z');
  const known: LastPulls = (source) => () => (source === 'fresh' ? asked('2026-05-10T00:00:01Z') : 'complete');
  const again = onlyChanged(known, new Set([day]), started);
  expect(again('archive', 'day', 'account', '')(day)).toBe(undefined);
  expect(again('archive', 'day', 'account', '')(addDays(day, 1))).toBe('complete');
  expect(again('fresh', 'day', 'account', '')(day)).toBe('complete');
});

test('runs of days hold what a set of days holds', () => {
  const step = fc.record({
    from: fc.integer({ min: 0, max: 60 }),
    length: fc.integer({ min: 0, max: 9 }),
    isOut: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const [runs, days] = [createDayRuns(), new Set<number>()];
      for (const { from, length, isOut } of steps) {
        if (isOut) {
          runs.delete(from);
          days.delete(from);
        } else {
          runs.add(from, from + length);
          for (let number = from; number <= from + length; number += 1) days.add(number);
        }
      }
      for (let number = -1; number <= 71; number += 1) expect(runs.has(number)).toBe(days.has(number));
      // Runs are in order and never touch: otherwise they would not stay few.
      const ends = runs.runs();
      for (const [index, [first]] of ends.entries())
        if (index > 0) expect(first).toBeGreaterThan((ends[index - 1]?.[1] ?? 0) + 1);
    }),
  );
});

test('calendar arithmetic needs no time zone', () => {
  const days = daysBetween('2024-02-27', '2024-03-02');
  expect(days).toEqual(['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02']);
  expect([numberOf('1970-01-02'), weekdayOf('2026-11-21'), weekdayOf('2026-11-22')]).toEqual([1, 6, 7]);
  expect([monthOf('2024-02-10'), endOfMonth('2024-02-10'), endOfMonth('2026-12-01')]).toEqual([
    '2024-02-01',
    '2024-02-29',
    '2026-12-31',
  ]);
  expect(chunks([...days, '2024-03-09'], 3)).toEqual([
    { from: '2024-03-09', to: '2024-03-09' },
    { from: '2024-02-29', to: '2024-03-02' },
    { from: '2024-02-27', to: '2024-02-28' },
  ]);
});
