// When texts and names are due to go: whole calendar months of UTC, and marks that only move forward.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retainedKinds } from '#etl/erased/old.ts';
import { dueBy, isDue, markAt, marksAfter, rangeOf } from '../../src/server/erased/due.ts';
import { marksIn } from '../../src/server/erased/marks.ts';

const second = fc.integer({ min: 0, max: 4_000_000_000 });
const months = fc.integer({ min: 1, max: 1200 });
const monthOf = (at: number): number => new Date(at * 1000).getUTCFullYear() * 12 + new Date(at * 1000).getUTCMonth();
const secondOf = (instant: string): number => Date.parse(instant) / 1000;

describe('the mark', () => {
  it('keeps a chat for whole months after its own, and no longer', () => {
    fc.assert(
      fc.property(second, second, months, (began, now, count) => {
        const isOld = began < Date.parse(markAt(now, count)) / 1000;
        expect(isOld).toBe(monthOf(began) + count < monthOf(now));
      }),
    );
  });
  it.each([
    ['2026-11-24T12:00:00Z', 1, '2026-10-01'],
    ['2026-11-01T00:00:00Z', 1, '2026-10-01'],
    ['2026-10-31T23:59:59Z', 1, '2026-09-01'],
    ['2026-01-31T00:00:00Z', 12, '2025-01-01'],
    ['2024-02-29T00:00:00Z', 24, '2022-02-01'],
  ])('of %s with %i months is %s', (now, count, mark) => expect(markAt(secondOf(now), count)).toBe(mark));
});

describe('what is due', () => {
  const keep = fc.record({ texts: fc.option(months), names: fc.option(months) });

  it('is due once a month at most, and never moves a mark back', () => {
    fc.assert(
      fc.property(keep, second, second, (of, one, other) => {
        const [first, then] = [Math.min(one, other), Math.max(one, other)];
        const marks = marksAfter({}, dueBy(of, {}, first));
        expect(isDue(dueBy(of, marks, first))).toBe(false);
        expect(isDue(dueBy(of, marks, then))).toBe(
          retainedKinds.some((kept) => of[kept] !== null) && monthOf(first) < monthOf(then),
        );
        const due = dueBy(of, marks, then);
        for (const kept of retainedKinds)
          if (due[kept]) expect([due[kept].from, due[kept].from! < due[kept].before]).toEqual([marks[kept], true]);
      }),
    );
  });
  it('is nothing when a longer time is set', () => {
    const now = secondOf('2026-11-24T00:00:00Z');
    const marks = marksAfter({}, dueBy({ texts: 3, names: null }, {}, now));
    expect(marks).toEqual({ texts: '2026-08-01' });
    expect(isDue(dueBy({ texts: 24, names: null }, marks, now))).toBe(false);
    expect(dueBy({ texts: 2, names: 5 }, marks, now)).toEqual({
      texts: { from: '2026-08-01', before: '2026-09-01' },
      names: { from: null, before: '2026-06-01' },
    });
  });
  it('is one range for those who look for chats', () => {
    expect(rangeOf({})).toBeUndefined();
    const texts = { from: '2026-08-01', before: '2026-09-01' };
    expect(rangeOf({ texts })).toEqual(texts);
    expect(rangeOf({ texts, names: { from: null, before: '2026-06-01' } })).toEqual({
      from: null,
      before: '2026-09-01',
    });
  });
});

it('a stored mark only moves forward', () => {
  const database = new DatabaseSync(':memory:');
  const stored = marksIn(database);
  stored.advance({ texts: '2026-05-01' }, 0);
  stored.advance({ texts: '2026-03-01', names: '2026-01-01' }, 0);
  expect(stored.marks()).toEqual({ texts: '2026-05-01', names: '2026-01-01' });
  database.close();
});
