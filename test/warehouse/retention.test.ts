// Which snapshots stay: the newest always, some of every age, pinned ones, within the space.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRemove, type RetainedSnapshot } from '#warehouse/store/retention.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2026-01-01T00:00:00Z');

const at = (published: number, differs: Partial<RetainedSnapshot> = {}): RetainedSnapshot => ({
  id: new Date(published).toISOString(),
  published,
  bytes: 1,
  is_pinned: false,
  ...differs,
});
/** One every five minutes up to `now`. */
const everyFiveMinutes = (now: number, days: number): RetainedSnapshot[] =>
  Array.from({ length: days * 288 }, (_, index) => at(now - (days * 288 - 1 - index) * 300_000));
const stays = (snapshots: readonly RetainedSnapshot[], now: number, space = Infinity): RetainedSnapshot[] => {
  const gone = new Set(toRemove(snapshots, now, space));
  return snapshots.filter(({ id }) => !gone.has(id));
};

const shelf = fc.uniqueArray(
  fc.record({
    minutes: fc.integer({ min: 0, max: 90 * 1440 }),
    bytes: fc.integer({ min: 1, max: 100 }),
    is_pinned: fc.boolean(),
  }),
  { selector: ({ minutes }) => minutes, maxLength: 150 },
);
const kept = shelf.map((some) =>
  some
    .map(({ minutes, bytes, is_pinned }) => at(start + minutes * 60_000, { bytes, is_pinned }))
    .sort((one, other) => one.published - other.published),
);
const end = start + 90 * day;

describe('retention', () => {
  it('keeps the newest 12, then hours for 48 hours, days for 35 days, then months', () => {
    const now = Date.parse('2026-06-15T12:00:00Z');
    const left = stays(everyFiveMinutes(now, 120), now).map(({ published }) => now - published);
    expect(left.filter((age) => age < hour)).toHaveLength(12);
    expect(left.filter((age) => age >= hour && age <= 48 * hour)).toHaveLength(47);
    expect(left.filter((age) => age > 48 * hour && age <= 35 * day)).toHaveLength(33);
    expect(left.filter((age) => age > 35 * day)).toHaveLength(3);
  });

  it('of an hour, day or month the last one stays', () => {
    const snapshots = everyFiveMinutes(start + 100 * day, 100);
    const oldest = stays(snapshots, start + 100 * day)[0];
    expect(oldest?.id).toBe('2026-01-31T23:55:00.000Z');
  });

  it('the newest never goes, and a pinned one only when nothing else is left to go', () => {
    fc.assert(
      fc.property(kept, fc.integer({ min: 0, max: 5000 }), (snapshots, space) => {
        const left = stays(snapshots, end, space);
        const newest = snapshots.at(-1);
        if (newest) expect(left).toContain(newest);
        const isPinnedGone = snapshots.some((snapshot) => snapshot.is_pinned && !left.includes(snapshot));
        if (isPinnedGone) expect(left.filter((it) => !it.is_pinned && it !== newest)).toEqual([]);
      }),
    );
  });

  it('over the space only what must stay is left; under it the space changes nothing', () => {
    fc.assert(
      fc.property(kept, fc.integer({ min: 0, max: 5000 }), (snapshots, space) => {
        const left = stays(snapshots, end, space);
        const bytes = left.reduce((sum, snapshot) => sum + snapshot.bytes, 0);
        const isOnlyNewest = left.every((snapshot) => snapshot === snapshots.at(-1));
        expect(bytes <= space || isOnlyNewest).toBe(true);
        const free = stays(snapshots, end);
        if (free.reduce((sum, snapshot) => sum + snapshot.bytes, 0) <= space) expect(left).toEqual(free);
      }),
    );
  });

  it('the oldest unpinned go first', () => {
    fc.assert(
      fc.property(kept, fc.integer({ min: 0, max: 5000 }), (snapshots, space) => {
        const unpinned = stays(snapshots, end).filter(({ is_pinned }) => !is_pinned);
        const left = stays(snapshots, end, space).filter(({ is_pinned }) => !is_pinned);
        expect(left).toEqual(left.length === 0 ? [] : unpinned.slice(-left.length));
      }),
    );
  });

  it('applied after every publication it leaves what applying it once leaves', () => {
    fc.assert(
      fc.property(kept, (snapshots) => {
        let shelved: RetainedSnapshot[] = [];
        for (const snapshot of snapshots) shelved = stays([...shelved, snapshot], snapshot.published);
        expect(stays(shelved, end)).toEqual(stays(snapshots, end));
      }),
    );
  });
});
