// Numbers and periods in words.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amount, round, say, sayShort, signed } from '#dashboards/numbers.ts';
import { dayCount, dayName, daysOf, partOf, periodName, ticks } from '#dashboards/periods.ts';
import { scale } from '#dashboards/pictures/frame.ts';
import { words } from '#dashboards/words.ts';
import { amountOf, duration } from '#warehouse/definitions/recipes/arithmetic.ts';

test('durations are read in their own units', () => {
  const read = (seconds: number) => say(seconds, 'seconds', 'en-GB');
  expect([9.44, 42, 72, 120, 7500, 7200].map(read)).toEqual(['9.4 s', '42 s', '1 m 12 s', '2 m', '2 h 05 m', '2 h']);
});

test('a receipt says durations as the number beside them is written', () => {
  const seconds = fc.oneof(
    fc.double({ min: 0, max: 3_600_000 - 31, noNaN: true }),
    fc.double({ min: 0, max: 7300, noNaN: true }),
    // Doubles are spread over exponents: of those between 5 and 10 there would be next to none.
    fc.integer({ min: 0, max: 6100 }).map((hundredths) => hundredths / 100),
    fc.integer({ min: 0, max: 90_000 }),
    fc.constantFrom(9.95, 59.5, 3599.5, 86_400, 195),
  );
  fc.assert(
    fc.property(seconds, (value) => {
      expect(duration(value)).toBe(say(value, 'seconds', 'en-GB'));
    }),
  );
});

test('a receipt says amounts as pages write them', () => {
  const price = fc.oneof(fc.integer({ min: 1, max: 10_000_000 }), fc.double({ min: 0, max: 99_999, noNaN: true }));
  fc.assert(
    fc.property(price, fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'points', 'eur'), (value, currency) => {
      expect(amountOf(value, currency)).toBe(say(value, 'money', 'en-GB', currency));
    }),
  );
});

test('rounding is half upwards, also where binary numbers fall short', () => {
  expect(round(1.005, 2)).toBe(1.01);
  expect(round(2.5, 0)).toBe(3);
});

test('periods are the days from the beginning of one to the end of the other, whichever comes first', () => {
  const days = (one: string, other: string) => Object.values(daysOf(one, other)).join(' ');
  expect(days('2026-11-03', '2026-11-05')).toBe('2026-11-03 2026-11-05');
  expect(days('2026-11-05', '2026-11-03')).toBe('2026-11-03 2026-11-05');
  expect(days('2026-11-03 22:00', '2026-11-04 01:00')).toBe('2026-11-03 2026-11-04');
  expect(days('2026-W45', '2026-W45')).toBe('2026-11-02 2026-11-08');
  expect(days('2026-W53', '2027-W01')).toBe('2026-12-28 2027-01-10');
  expect(days('2026-02', '2026-02')).toBe('2026-02-01 2026-02-28');
  expect(days('2026-11', '2026-12')).toBe('2026-11-01 2026-12-31');
});

test('an amount beneath the name of its currency has that currency’s decimals', () => {
  expect(amount(3516.9, 'EUR', 'en-GB')).toBe('3,516.90');
  expect(amount(13_516.6, 'JPY', 'en-GB')).toBe('13,517');
  expect(amount(1.5, 'points', 'de-DE')).toBe('1,50');
});

test('numbers follow the locale and money names its currency', () => {
  expect(say(12345, 'count', 'en-GB')).toBe('12,345');
  expect(say(0.912, 'share', 'en-GB')).toBe('91.2%');
  expect(say(12.5, 'money', 'en-GB', 'EUR')).toMatch(/^EUR.12\.50$/);
  expect(say(12.5, 'money', 'en-GB', 'points')).toBe('12.5 points');
});

test('every kind of period has a name', () => {
  const names = ['2026-11-03 14:00', '2026-11-03', '2026-W01', '2026-11'].map((label) => periodName(label, 'en-GB'));
  expect(names).toEqual(['Tue 3 Nov, 14:00', 'Tue 3 Nov', 'week 1, 29 Dec to 4 Jan', 'November 2026']);
});

test('ticks are few and on round places', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => `2026-11-03 ${String(hour).padStart(2, '0')}:00`);
  expect(ticks(hours, 'en-GB').filter(Boolean)).toEqual([
    '3 Nov',
    '03:00',
    '06:00',
    '09:00',
    '12:00',
    '15:00',
    '18:00',
    '21:00',
  ]);
  expect(ticks([], 'en-GB')).toEqual([]);
});

test('both ends of a range count', () => {
  expect(dayCount('2026-03-01', '2026-03-31')).toBe(31);
});

test('axis ends are round in the unit of the axis', () => {
  expect(scale(187, 'seconds')).toEqual({ max: 240, interval: 60 });
  expect(scale(3, 'count')).toEqual({ max: 3, interval: 1 });
  expect(scale(0.97, 'share').max).toBe(1);
});

test('grid lines of counts stand on whole numbers, those of shares are told as they are', () => {
  expect(scale(10, 'count')).toEqual({ max: 10, interval: 5 });
  expect([0.025, 0.05].map((value) => sayShort(value, 'share', 'en-GB'))).toEqual(['2.5%', '5%']);
});

test('numbers beneath each other have as many decimals as each other', () => {
  expect([104, 150.44].map((value) => say(value, 'hours', 'en-GB'))).toEqual(['104 h', '150 h 26 m']);
  expect([0.01, -0.012].map((value) => signed(value, 'share', 'en-GB'))).toEqual(['+1.0 points', '−1.2 points']);
});

test('a change is nothing only where a number so small is written as zero', () => {
  const changes = [
    [0.04, 'hours', '+2 m 24 s'],
    [0.00001, 'hours', words.noChange],
    [-0.004, 'score', '−0.004'],
    [0.0004, 'score', words.noChange],
    [0.04, 'money', '+0.04'],
    [-0.04, 'count', '−0.04'],
    [0.04, 'seconds', words.noChange],
    [0.0004, 'share', words.noChange],
  ] as const;
  for (const [change, unit, told] of changes) expect(signed(change, unit, 'en-GB')).toBe(told);
});

test('one of a thing is named in the singular', () => {
  expect([1, 2].map((value) => words.counted(value, String(value), 'rated chats'))).toEqual([
    '1 rated chat',
    '2 rated chats',
  ]);
  expect(words.counted(1, '1', 'entered a chat')).toBe('1 entered a chat');
});

test('a part of a week or month is the days that the range has of it, as counting days finds them', () => {
  const day = fc.integer({ min: 0, max: 1200 }).map((n) => new Date(Date.UTC(2024, 0, 1) + n * 86_400_000));
  const text = (date: Date) => date.toISOString().slice(0, 10);
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 80 }), fc.constantFrom('week', 'month'), (first, length, kind) => {
      const range = { from: text(first), to: text(new Date(first.getTime() + length * 86_400_000)) };
      const at = (date: Date) => (kind === 'month' ? text(date).slice(0, 7) : weekOf(date));
      for (const edge of [range.from, range.to]) {
        const label = at(new Date(edge));
        const all = Array.from({ length: 80 }, (_, n) => new Date(Date.parse(edge) + (n - 40) * 86_400_000));
        const own = all.filter((date) => at(date) === label).map(text);
        const covered = own.filter((date) => date >= range.from && date <= range.to);
        const expected = covered.length === own.length ? undefined : { from: covered[0], to: covered.at(-1) };
        expect(partOf(label, range)).toEqual(expected);
      }
    }),
  );
  expect(partOf('2026-11-03', { from: '2026-11-03', to: '2026-11-03' })).toBeUndefined();
});

/** ISO: the year and week of the Thursday. */
function weekOf(date: Date): string {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * 86_400_000);
  const begin = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - begin) / 86_400_000 / 7);
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

test('a date written from right to left takes no number of the sentence around it', () => {
  for (const locale of ['ar', 'he', 'fa'])
    expect(dayName('2026-11-20', locale)).toMatch(/^\u200f[^\u200e\u200f]+\u200e$/);
  expect(dayName('2026-11-20', 'de')).toBe('20. Nov.');
});
