// Marks of what rewrote snapshots: of two that one folder made, it can be told which came later, whatever its clock does.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLaterMark, markAfter } from '#warehouse/rewrite-marks.ts';
import { tries } from '../chance.ts';

it('each is later than those before it, also where the clock is set back', () => {
  const instant = fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2026-01-01T00:00:05Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(fc.array(instant, { minLength: 2, maxLength: 8 }), (instants) => {
      const marks = instants.reduce<string[]>(
        (made, at, index) => [
          ...made,
          markAfter(made.at(-1) ?? '', { id: `job-${index}`, begun_at: at.toISOString() }),
        ],
        [],
      );
      for (const [place, mark] of marks.entries())
        for (const [other, one] of marks.entries())
          expect([place, other, isLaterMark(mark, one)]).toEqual([place, other, place > other]);
    }),
    { numRuns: tries(50, 1000) },
  );
});

it('the same rewriting, ended after it was cut off, has the mark that it had', () => {
  const job = { id: 'b2f1', begun_at: '2026-11-29T08:00:00Z' };
  const mark = markAfter('2026-11-30T08:00:00.000Z another', job);
  expect(mark).toBe('2026-11-30T08:00:00.001Z b2f1');
  expect(markAfter(mark, job)).toBe(mark);
});

it('one with an instant is later than those of programs that wrote none, and any than none at all', () => {
  const old = '7d0c7a0e-93c5-4f3c-9c1f-0f3a5a8f9d11';
  const mark = markAfter(old, { id: 'b2f1', begun_at: '2026-11-29T08:00:00Z' });
  expect([isLaterMark(mark, old), isLaterMark(old, mark), isLaterMark(old, ''), isLaterMark(mark, '')]).toEqual([
    ...[true, false, true, true],
  ]);
  expect([isLaterMark(old, 'another'), isLaterMark('another', old), isLaterMark('', '')]).toEqual([
    false,
    false,
    false,
  ]);
});
