// The day on which the disk is full: a straight line is found again, and nothing is told that does not follow.
import fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { diskDaysIn, diskOf } from '../../src/server/monitoring/disk-days.ts';
import { forecastOf, forecastSentence, growthOf, type DiskDay } from '../../src/server/monitoring/disk-forecast.ts';
import { watchDisk } from '../../src/server/monitoring/disk-watch.ts';

const size = 1e12;
const start = Date.parse('2026-03-01T00:00:00Z');
const dayAt = (place: number): string => new Date(start + place * 86_400_000).toISOString().slice(0, 10);
/** `taken` gives the bytes of each day. */
const daysOf = (count: number, taken: (place: number) => number): DiskDay[] =>
  Array.from({ length: count }, (_, place) => ({
    ...{ day: dayAt(place), size, free: size - taken(place) },
    kinds: { snapshots: taken(place), app: 5 },
  }));
const counts = fc.integer({ min: 8, max: 90 });
const grows = fc.integer({ min: 1e9, max: 5e9 });

test('what grows evenly is full on the day on which its line reaches the size of the disk', () => {
  fc.assert(
    fc.property(counts, grows, fc.integer({ min: 0, max: 1e10 }), (count, step, first) => {
      const forecast = forecastOf(daysOf(count, (place) => first + place * step));
      const last = first + (count - 1) * step;
      const exact = count - 1 + (size - last) / step;
      expect(forecast.state).toBe('growing');
      expect(forecast.growth).toBeCloseTo(step, -2);
      const days = (Date.parse(forecast.full_on ?? '') - start) / 86_400_000;
      expect(Math.abs(days - exact)).toBeLessThanOrEqual(1.001);
    }),
  );
});

test('what stays or shrinks is never full, whatever the order and the gaps of the days', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: -1e9, max: 0 }), fc.infiniteStream(fc.boolean()), (count, step, gaps) => {
      const all = daysOf(count, (place) => 5e11 + place * step);
      const some = all.filter((_, place) => place === 0 || place === count - 1 || gaps.next().value);
      expect(forecastOf(some.toReversed())).toMatchObject({ state: 'not_growing', full_on: null });
    }),
  );
});

test('what is pruned to where it began, again and again, is full later than without pruning, or never', () => {
  fc.assert(
    fc.property(fc.integer({ min: 31, max: 90 }), grows, fc.integer({ min: 2, max: 7 }), (count, step, every) => {
      const pruned = forecastOf(daysOf(count, (place) => 1e11 + (place % every) * step));
      const unpruned = forecastOf(daysOf(count, (place) => 1e11 + place * step));
      expect(pruned.growth).toBeLessThan((unpruned.growth ?? 0) / 3);
      if (pruned.full_on !== null) expect(pruned.full_on > (unpruned.full_on ?? '')).toBe(true);
    }),
  );
});

test('days before the last thirty change nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 32, max: 90 }), grows, fc.integer({ min: 0, max: 9e11 }), (count, step, before) => {
      const days = daysOf(count, (place) => (place < count - 31 ? before : place * step));
      expect(forecastOf(days)).toEqual(forecastOf(days.slice(-31)));
    }),
  );
});

test('a larger disk moves the day, and not the growth', () => {
  const days = daysOf(31, (place) => place * 1e10);
  const larger = days.map((day, place) => (place < 20 ? day : { ...day, size: size * 2, free: day.free + size }));
  expect(forecastOf(larger).growth).toBeCloseTo(1e10, -2);
  expect((forecastOf(larger).full_on ?? '') > (forecastOf(days).full_on ?? '')).toBe(true);
});

test('from less than a week nothing follows', () => {
  for (const count of [0, 1, 2, 7])
    expect(forecastOf(daysOf(count, (place) => place * 1e10))).toMatchObject({ state: 'too_early', full_on: null });
  expect(forecastSentence(forecastOf(daysOf(4, () => 0)))).toContain('3 days are known');
  expect(forecastSentence(forecastOf(daysOf(8, (place) => place * 1e11)))).toContain('is full on 2026-03-11');
});

test('the growth of a kind is told only over days that are known', () => {
  const days = daysOf(9, (place) => place * 1000);
  expect(growthOf(days, 'snapshots', 7)).toBeCloseTo(1000);
  expect(growthOf(days, 'app', 7)).toBe(0);
  expect(growthOf(days, 'snapshots', 30)).toBeNull();
  expect(growthOf([], 'snapshots', 7)).toBeNull();
});

test('a day has one row, the last of it, and old ones go', () => {
  const kept = diskDaysIn(new DatabaseSync(':memory:'));
  for (let place = 0; place < 450; place++)
    for (const free of [1, 2]) kept.note({ free, size, kinds: { app: place } }, start + place * 86_400_000 + free);
  const days = kept.list();
  expect([days.length, days.at(-1)]).toEqual([400, { day: dayAt(449), free: 2, size, kinds: { app: 449 } }]);
});

test('the size is noted when it is watched, and nothing after the end', async () => {
  const days = diskDaysIn(new DatabaseSync(':memory:'));
  for (const day of daysOf(9, (place) => place * 1e10)) days.note(day, Date.parse(day.day));
  const use = { kinds: { snapshots: 9e10, app: 5 }, size, free: size - 9e10 };
  const watch = watchDisk({ use: async () => use, days, now: () => start + 9 * 86_400_000, complain: () => undefined });
  const disk = await watch.disk();
  expect(disk).toEqual(diskOf(use, days.list()));
  expect(disk.forecast).toMatchObject({ state: 'growing', over_days: 9 });
  expect(watch.full_at()).toBe(Date.parse(disk.forecast.full_on ?? '') / 1000);
  watch.close();
  await watch.disk();
  expect(days.list()).toHaveLength(10);
});
