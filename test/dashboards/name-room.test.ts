// Names in front of bars: what is left of one fits, and is its beginning.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted, widthOf } from '#dashboards/pictures/name-room.ts';

test('what is left of a name fits, is its beginning, and is all of it when that fits', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 200 }), (name, room) => {
      const left = fitted(name, room);
      expect(widthOf(left)).toBeLessThanOrEqual(room);
      if (widthOf(name) <= room) expect(left).toBe(name);
      else expect([left.at(-1), name.startsWith(left.slice(0, -1))]).toEqual(['…', true]);
    }),
  );
});

// As the browser measures them in Inter at 12 px, rounded down.
test.each([
  ['Wolfeschlegelsteinhausenbergerdorff', 212],
  ['Отдел послепродажного обслуживания клиентов', 293],
  ['ЩЕРБАКОВА ЖАННА ЮРЬЕВНА', 188],
  ['顧客サポート東京第一チーム（夜間）', 204],
  ['MWMWMWMWMWMWMWMWMW', 207],
  ['tag_2026_q4_black_friday_returns', 190],
  ['illillillillillillillillillillill', 99],
])('%s is not taken for narrower than it is', (name, pixels) => {
  expect(widthOf(name)).toBeGreaterThanOrEqual(pixels);
});
