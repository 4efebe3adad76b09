// The days and times of the form of scheduled reports, against the cron expressions that are kept.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allDays, cronFor, hasNoDay, monthDays, timesIn, type Times } from '#lib/digests/schedule.ts';
import { cronOf, problemOf } from '#digests/cron.ts';

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const times: fc.Arbitrary<Times> = fc.oneof(
  fc.record({ every: fc.constant('week' as const), days: fc.subarray([...allDays], { minLength: 1 }), time }),
  fc.record({
    every: fc.constantFrom('month' as const, 'quarter' as const),
    day: fc.constantFrom(...monthDays, 'last' as const),
    time,
  }),
);

const runs = (cron: string): string[] =>
  cronOf(cron, 'UTC')
    .nextRuns(20, new Date('2026-01-15T12:00:00Z'))
    .map((at) => at.toISOString());

/** When the form says it is due, counted day by day. */
function due(it: Times): string[] {
  const found: string[] = [];
  for (let at = Date.UTC(2026, 0, 15); found.length < 20; at += 86_400_000) {
    const day = new Date(at);
    const isLast = new Date(at + 86_400_000).getUTCDate() === 1;
    const isDay =
      it.every === 'week'
        ? it.days.includes(day.getUTCDay() || 7)
        : (it.every === 'month' || day.getUTCMonth() % 3 === 0) &&
          (it.day === 'last' ? isLast : day.getUTCDate() === it.day);
    const moment = `${day.toISOString().slice(0, 10)}T${it.time}:00.000Z`;
    if (isDay && moment > '2026-01-15T12:00:00.000Z') found.push(moment);
  }
  return found;
}

it('what the form says is due on just these days at this time, and is read back as it was said', () => {
  fc.assert(
    fc.property(times, (it) => {
      expect(runs(cronFor(it))).toEqual(due(it));
      expect(timesIn(cronFor(it))).toEqual(it);
    }),
    { numRuns: 150 },
  );
});

it('an expression that the form can say is due as before, and any other is left as it is', () => {
  const field = fc.constantFrom(
    '*',
    '0',
    '1',
    '7',
    '1-5',
    'MON',
    'mon,FRI',
    '*/2',
    'L',
    '30',
    '1,4,7,10',
    '5-7',
    '1#2',
  );
  const cron = fc.tuple(fc.constantFrom('0', '5', '*'), fc.constantFrom('7', '23', '*/3'), field, field, field);
  fc.assert(
    fc.property(cron, (fields) => {
      const text = fields.join(' ');
      const said = timesIn(text);
      if (said && problemOf(text) === undefined) expect(runs(cronFor(said))).toEqual(runs(text));
    }),
    { numRuns: 400 },
  );
  for (const other of ['*/5 7 * * 1', '0 7,9 * * 1', '0 7 1 * 1', '0 7 31 * *', '0 7 1 2 *', '0 7 * * 1#2', 'soon'])
    expect([other, timesIn(other)]).toEqual([other, undefined]);
});

it('no day at all is refused, and told from a wrong expression', () => {
  const none = cronFor({ every: 'week', days: [], time: '07:00' });
  expect([hasNoDay(none), problemOf(none) === undefined]).toEqual([true, false]);
  expect(hasNoDay('0 7 * *')).toBe(false);
});
