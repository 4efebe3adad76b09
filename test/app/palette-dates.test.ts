// The days that somebody types into the palette.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysTyped } from '#lib/frame/palette-dates.ts';

const typed = (text: string, locale = 'en-GB') => {
  const [first] = daysTyped(text, '2026-11-24', locale);
  return first && [first.from, first.to];
};

it.each([
  ['2026-10-03', ['2026-10-03', '2026-10-03']],
  ['2026-10', ['2026-10-01', '2026-10-31']],
  ['october', ['2026-10-01', '2026-10-31']],
  ['Oct 2025', ['2025-10-01', '2025-10-31']],
  ['3 oct', ['2026-10-03', '2026-10-03']],
  ['oct 3', ['2026-10-03', '2026-10-03']],
  ['29 feb 2024', ['2024-02-29', '2024-02-29']],
  ['q3', ['2026-07-01', '2026-09-30']],
  ['2026-10-03 2026-10-09', ['2026-10-03', '2026-10-09']],
  // A Tuesday is today.
  ['tuesday', ['2026-11-24', '2026-11-24']],
  ['last Tuesday', ['2026-11-17', '2026-11-17']],
  ['last monday', ['2026-11-23', '2026-11-23']],
  ['wednesday', ['2026-11-18', '2026-11-18']],
  ['sat', undefined],
  ['last', undefined],
  // The present month goes up to today, one that is to come is the one of last year.
  ['november', ['2026-11-01', '2026-11-24']],
  ['december', ['2025-12-01', '2025-12-31']],
  ['30 feb', undefined],
  ['2026-13', undefined],
  ['2027-01-01', undefined],
  ['sales', undefined],
  ['', undefined],
] as const)('%s', (text, days) => {
  expect(typed(text)).toEqual(days);
});

it('months and weekdays are known by their names in the language of the page too', () => {
  expect(typed('samstag', 'de')).toEqual(['2026-11-21', '2026-11-21']);
  expect(typed('oktober', 'de')).toEqual(['2026-10-01', '2026-10-31']);
  expect(typed('mai', 'fr')).toEqual(['2026-05-01', '2026-05-31']);
});

it('whatever is typed, days exist, are in order and never in the future', () => {
  const word = fc.constantFrom(
    'oct',
    'may',
    'q1',
    '2026',
    '2026-02-30',
    '31',
    '3.',
    '2025-12-31',
    'x',
    'last',
    'tuesday',
    'sunday',
    'february',
    '0',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 3 }), (words) => {
      for (const { from, to } of daysTyped(words.join(' '), '2026-11-24', 'en-GB')) {
        expect(new Date(`${from}T00:00:00Z`).toISOString().slice(0, 10)).toBe(from);
        expect([from <= to, to <= '2026-11-24']).toEqual([true, true]);
      }
    }),
    { numRuns: 400 },
  );
});
