// Comparisons that cannot mislead: a Saturday is never compared with a Tuesday, and no day is compared with itself.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ask } from '#warehouse/query/ask.ts';
import { comparedAsk } from '#warehouse/query/compared.ts';
import { dateOf, dayNumber, isoWeekOf } from '#warehouse/periods.ts';

const ask = (differs: Partial<Ask>): Ask => ({
  ...{
    account: 'default',
    timezone: 'UTC',
    from: '2026-03-02',
    to: '2026-03-08',
    grain: 'day',
    split: [],
    filters: {},
  },
  ...differs,
});
const range = ({ from, to }: Ask): [string, string] => [from, to];
const compared = (from: string, to: string, compare: 'previous' | 'year', grain: Ask['grain'] = 'day') =>
  range(comparedAsk(ask({ from, to, compare, grain })));

it.each([
  ['a week with the week before', '2026-03-02', '2026-03-08', '2026-02-23', '2026-03-01'],
  ['a day with the same weekday', '2026-03-04', '2026-03-04', '2026-02-25', '2026-02-25'],
  ['28 days with the 28 before', '2026-10-27', '2026-11-23', '2026-09-29', '2026-10-26'],
  ['30 days with the same weekdays five weeks before', '2026-10-25', '2026-11-23', '2026-09-20', '2026-10-19'],
  ['October with 31 days on the same weekdays', '2026-10-01', '2026-10-31', '2026-08-27', '2026-09-26'],
])('%s', (_, from, to, first, last) => {
  expect(compared(from, to, 'previous')).toEqual([first, last]);
});

it.each([
  ['the same weekdays of the same ISO week', '2026-05-04', '2026-05-10', '2025-05-05', '2025-05-11'],
  ['after a year of 53 weeks, 371 days', '2027-01-04', '2027-01-10', '2025-12-29', '2026-01-04'],
  ['the 53rd week with the 52nd of a year that has no more', '2026-12-28', '2027-01-03', '2025-12-22', '2025-12-28'],
  ['a leap day with a weekday like it', '2024-02-29', '2024-02-29', '2023-03-02', '2023-03-02'],
])('a year before: %s', (_, from, to, first, last) => {
  expect(compared(from, to, 'year')).toEqual([first, last]);
});

it.each([
  ['two years with the two before', '2025-01-01', '2026-12-31', '2023-01-01', '2024-12-31', 'previous'],
  ['up to the same day of the month', '2026-01-15', '2026-03-10', '2025-10-15', '2025-12-10', 'previous'],
  ['the last day stays the last', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31', 'previous'],
  ['31 May with 30 April', '2026-05-31', '2026-05-31', '2026-04-30', '2026-04-30', 'previous'],
  ['the same months a year before', '2024-02-01', '2024-04-30', '2023-02-01', '2023-04-30', 'year'],
] as const)('by month: %s', (_, from, to, first, last, compare) => {
  expect(compared(from, to, compare, 'month')).toEqual([first, last]);
});

const anyRange = fc
  .tuple(fc.integer({ min: dayNumber('2001-01-01'), max: dayNumber('2090-01-01') }), fc.integer({ min: 1, max: 800 }))
  .map(([first, days]) => ({ from: dateOf(first), to: dateOf(first + days - 1), days }));

it('whole weeks: the same weekdays, as many days, none of its own, and no nearer ones', () => {
  fc.assert(
    fc.property(anyRange, ({ from, to, days }) => {
      const [first, last] = compared(from, to, 'previous').map(dayNumber) as [number, number];
      const earlier = dayNumber(from) - first;
      expect([earlier % 7, last - first + 1]).toEqual([0, days]);
      expect(last).toBeLessThan(dayNumber(from));
      expect(last + 7).toBeGreaterThanOrEqual(dayNumber(from));
    }),
  );
});

it('a year before: the same weekday of the same week, where that year has it', () => {
  fc.assert(
    fc.property(anyRange, ({ from, to, days }) => {
      const [first, last] = compared(from, to, 'year').map(dayNumber) as [number, number];
      const [now, then] = [isoWeekOf(dayNumber(from)), isoWeekOf(first)];
      expect([(dayNumber(from) - first) % 7, last - first + 1]).toEqual([0, days]);
      expect([364, 371]).toContain(dayNumber(from) - first);
      expect(then).toEqual(now.week === 53 ? then : { year: now.year - 1, week: now.week });
      if (now.week === 53) expect(then.week).toBeGreaterThanOrEqual(52);
    }),
  );
});

it('by month there are as many rows, of months that are as far apart', () => {
  fc.assert(
    fc.property(anyRange, fc.constantFrom('previous', 'year'), ({ from, to }, compare) => {
      const months = (a: string, b: string): number =>
        (Number(b.slice(0, 4)) - Number(a.slice(0, 4))) * 12 + Number(b.slice(5, 7)) - Number(a.slice(5, 7));
      const [first = '', last = ''] = compared(from, to, compare as 'previous' | 'year', 'month');
      expect(months(first, last)).toBe(months(from, to));
      expect(months(first, from)).toBe(compare === 'year' ? 12 : months(from, to) + 1);
    }),
  );
});
