// The lazy calendar of a question against a plain one that walks every hour; its size, and the states of its cells.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grain, LocalPart } from '#warehouse/dialect.ts';
import { dateOf, dayNumber, range, slotCount, slots, weekdays, type Piece } from '#warehouse/periods.ts';
import { completeUntil, stateOf } from '#warehouse/query/states.ts';
import { stretches } from '#warehouse/zone.ts';
import { tries } from '../chance.ts';
import { computed } from '../processor.ts';

const zones = [
  'UTC',
  'Europe/Warsaw',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
];
const day = 86_400;

interface Plain {
  labels: string;
  pieces: Piece[];
}

/** ISO week by the Thursday in it, written without arithmetic on years. */
function isoWeek(date: string): string {
  const thursday = dateOf(dayNumber(date) + 3 - ((dayNumber(date) + 3) % 7));
  let first = dayNumber(`${thursday.slice(0, 4)}-01-01`);
  while ((first + 3) % 7 !== 3) first += 1;
  return `${thursday.slice(0, 4)}-W${String((dayNumber(thursday) - first) / 7 + 1).padStart(2, '0')}`;
}

/** The same cells, one hour of local time after the other. */
function plainSlots(zone: string, from: string, to: string, grain: Grain, parts: readonly LocalPart[]): Plain[] {
  const found = new Map<string, Plain>();
  const byHour = grain === 'hour' || parts.includes('hour_of_day');
  const length = byHour ? 3600 : day;
  for (let local = dayNumber(from) * day; local < (dayNumber(to) + 1) * day; local += length) {
    const date = dateOf(Math.floor(local / day));
    const hour = String(Math.floor((local % day) / 3600)).padStart(2, '0');
    const period = { hour: `${date} ${hour}:00`, day: date, week: isoWeek(date), month: date.slice(0, 7), total: '' }[
      grain
    ];
    const weekday = parts.includes('weekday') ? weekdays[(dayNumber(date) + 3) % 7] : '';
    const labels = [period, weekday, parts.includes('hour_of_day') ? hour : ''].join('|');
    const slot = found.get(labels) ?? { labels, pieces: [] };
    found.set(labels, slot);
    for (const stretch of stretches(zone, local - 3 * day, local + 3 * day)) {
      const start = Math.max(local - stretch.offset, stretch.from);
      const end = Math.min(local + length - stretch.offset, stretch.until);
      const last = slot.pieces.at(-1);
      if (start >= end) continue;
      if (last && last.until === start) last.until = end;
      else slot.pieces.push({ from: start, until: end });
    }
  }
  return [...found.values()];
}

const questions = fc.record({
  zone: fc.constantFrom(...zones),
  first: fc.integer({ min: dayNumber('2010-01-01'), max: dayNumber('2027-06-01') }),
  days: fc.integer({ min: 1, max: 80 }),
  grain: fc.constantFrom<Grain>('hour', 'day', 'week', 'month', 'total'),
  parts: fc.subarray<LocalPart>(['weekday', 'hour_of_day']),
});

describe('the calendar of a question', () => {
  it('has the cells, in order, and the real time of a plain walk through every hour', () => {
    fc.assert(
      fc.property(questions, ({ zone, first, days, grain, parts }) => {
        const [from, to] = [dateOf(first), dateOf(first + days - 1)];
        const lazy = [...slots(zone, from, to, grain, parts)].map((slot) => ({
          labels: [slot.period ?? '', slot.weekday ?? '', slot.hour_of_day ?? ''].join('|'),
          // An hour that a clock change skipped has an empty piece, which a walk through time does not meet.
          pieces: slot.pieces().filter((piece) => piece.from < piece.until),
        }));
        expect(lazy).toEqual(plainSlots(zone, from, to, grain, parts));
        expect(slotCount(from, to, grain, parts)).toBe(lazy.length);
      }),
      { numRuns: tries(100, 300) },
    );
  });

  it('gives from a moment on the pieces that end after it', () => {
    fc.assert(
      fc.property(
        questions,
        fc.double({ min: -0.1, max: 1.1, noNaN: true }),
        ({ zone, first, days, grain, parts }, at) => {
          const [from, to] = [dateOf(first), dateOf(first + days - 1)];
          const whole = range(zone, from, to);
          const second = Math.floor(whole.from + at * (whole.until - whole.from));
          const ends = ({ until }: Piece): number => until;
          const all = [...slots(zone, from, to, grain, parts)];
          const later = all.map((slot) =>
            slot
              .pieces()
              .map(ends)
              .filter((until) => until > second),
          );
          expect(all.map((slot) => slot.pieces(second).map(ends))).toEqual(later);
        },
      ),
      { numRuns: tries(100, 300) },
    );
  });

  it('of forty years by hour of the day is counted at once and costs nothing until it is read', () => {
    const began = computed();
    expect(slotCount('2000-01-01', '2039-12-31', 'day', ['hour_of_day'])).toBe(14_610 * 24);
    expect(slotCount('2000-01-01', '2039-12-31', 'total', ['weekday', 'hour_of_day'])).toBe(168);
    for (const zone of zones) slots(zone, '2000-01-01', '2039-12-31', 'day', ['hour_of_day']).next();
    expect(computed() - began).toBeLessThan(2000);
  });
});

describe('the state of a cell', () => {
  it('is open for a skipped hour that has not come yet, also where a day begins with it', () => {
    // In Casablanca the clocks of 2 May 2010 went from midnight to one.
    const [skipped] = [...slots('Africa/Casablanca', '2010-05-02', '2010-05-02', 'hour', [])];
    const { from } = range('Africa/Casablanca', '2010-05-02', '2010-05-02');
    expect(skipped?.pieces()).toEqual([{ from, until: from }]);
    const states = [from - day, from + 3600, from + 2 * day].map((now) =>
      stateOf(skipped?.pieces(completeUntil(from, [], now, 1)) ?? [], [], now, 1),
    );
    expect(states).toEqual(['open', 'settling', 'complete']);
  });

  it('is the same whether the time that is known to be complete is looked at or not', () => {
    const about = fc.record({
      question: questions,
      gaps: fc.array(fc.integer({ min: 0, max: 85 }), { maxLength: 3 }),
      early: fc.array(fc.integer({ min: 0, max: 85 }), { maxLength: 2 }),
      now: fc.integer({ min: -5, max: 90 }),
      settling: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(about, ({ question: { zone, first, days, grain, parts }, gaps, early, now, settling }) => {
        const [from, to] = [dateOf(first), dateOf(first + days - 1)];
        const instant = first * day + now * day + 40_000;
        const coverage = Array.from({ length: days + 4 }, (_, index) => index - 2)
          .filter((index) => !gaps.includes(index))
          .map((index) => {
            const { from: start, until } = range('Europe/Warsaw', dateOf(first + index), dateOf(first + index));
            return { from: start, until, pulled: early.includes(index) ? start + 30_000 : until + 3 * day };
          });
        const complete = completeUntil(range(zone, from, to).from, coverage, instant, settling);
        const all = [...slots(zone, from, to, grain, parts)];
        expect(all.map((slot) => stateOf(slot.pieces(complete), coverage, instant, settling))).toEqual(
          all.map((slot) => stateOf(slot.pieces(), coverage, instant, settling)),
        );
      }),
      { numRuns: tries(100, 300) },
    );
  });
});
