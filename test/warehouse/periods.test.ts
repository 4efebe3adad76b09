// The calendar of a question: labels and the real time they stand for, against an independent calendar.
import { describe, expect, it } from 'vitest';
import { isDate, millisecondsOf, slots } from '#warehouse/periods.ts';
import { isSameZone, isZone, offsetAt } from '#warehouse/zone.ts';

const hours = (zone: string, day: string): number[] =>
  [...slots(zone, day, day, 'hour', [])].map(
    (slot) => slot.pieces().reduce((sum, { from, until }) => sum + until - from, 0) / 60,
  );

describe('periods', () => {
  it('a day has 24 hours, the skipped one empty, the doubled one twice as long', () => {
    const spring = hours('Europe/Warsaw', '2026-03-29');
    expect(spring).toHaveLength(24);
    expect(spring[2]).toBe(0);
    const autumn = hours('Europe/Warsaw', '2026-10-25');
    expect(autumn).toHaveLength(24);
    expect(autumn[2]).toBe(120);
  });

  it('a change of half an hour shortens and lengthens one hour by half', () => {
    expect(hours('Australia/Lord_Howe', '2026-10-04')[2]).toBe(30);
    expect(hours('Australia/Lord_Howe', '2026-04-05')[1]).toBe(90);
  });

  it('a day that a zone left out is an empty day', () => {
    const calendar = [...slots('Pacific/Apia', '2011-12-29', '2011-12-31', 'day', [])];
    const days = calendar.map((slot) => slot.pieces());
    expect(calendar.map(({ period }) => period)).toEqual(['2011-12-29', '2011-12-30', '2011-12-31']);
    expect(days[1]?.every(({ from, until }) => from === until)).toBe(true);
    expect(days[0]?.at(-1)?.until).toBe(days[2]?.[0]?.from);
  });

  it.each([
    ['2026-11-30T23:59:59Z', Date.UTC(2026, 10, 30, 23, 59, 59)],
    ['2028-02-29T08:00+01:00', Date.UTC(2028, 1, 29, 7)],
    ['2026-11-31T00:00:00Z', NaN],
    ['2026-02-29T08:00:00+01:00', NaN],
    ['2026-11-00T00:00:00Z', NaN],
    ['2026-11-01T25:00:00Z', NaN],
    ['2026-11-01', NaN],
  ])('%s is an instant or none: no day rolls over', (text, milliseconds) => {
    expect(millisecondsOf(text)).toBe(milliseconds);
  });

  it('a date is a day that there is', () => {
    expect(['2028-02-29', '2026-02-29', '2026-11-31', '2026-1-1', ''].map(isDate)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('weeks are ISO weeks, also over the turn of a year', () => {
    const weeks = [...slots('UTC', '2026-12-27', '2027-01-04', 'week', [])].map(({ period }) => period);
    expect(weeks).toEqual(['2026-W52', '2026-W53', '2027-W01']);
  });

  it('every day of every kind of zone begins and ends at its midnights', () => {
    const zones =
      'UTC,Europe/Warsaw,America/New_York,Asia/Kathmandu,Australia/Lord_Howe,Asia/Kolkata,America/Havana,' +
      'America/Sao_Paulo,Africa/Casablanca,Pacific/Chatham,Asia/Tehran,Africa/Cairo,America/Asuncion';
    const years = ['2010-12-25 2011-12-29', '2018-01-01 2019-01-05', '2026-01-01 2026-12-31'];
    for (const zone of zones.split(',')) {
      const dates = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
      const dateAt = (at: number): string => dates.format(at * 1000);
      for (const [from = '', to = ''] of years.map((year) => year.split(' '))) {
        let reached: number | undefined;
        for (const slot of slots(zone, from, to, 'day', [])) {
          const [period, pieces] = [slot.period, slot.pieces()];
          expect(pieces).toHaveLength(1);
          const { from: start, until } = pieces[0] ?? { from: 0, until: 0 };
          expect([zone, period, start]).toEqual([zone, dateAt(start), reached ?? start]);
          expect([zone, period]).toEqual([zone, dateAt(until - 1)]);
          expect(dateAt(until)).not.toBe(period);
          reached = until;
        }
      }
    }
  });

  it('a zone is a name of the IANA database; aliases are the same zone', () => {
    expect(isZone('UTC')).toBe(true);
    expect(isZone('US/Eastern')).toBe(true);
    expect(isZone('+02:00')).toBe(false);
    expect(isZone('Mars/Base')).toBe(false);
    expect(isSameZone('Asia/Calcutta', 'Asia/Kolkata')).toBe(true);
    expect(offsetAt('Asia/Kathmandu', 0)).toBe(5.5 * 3600);
    expect(offsetAt('Asia/Kathmandu', 1_800_000_000)).toBe(5.75 * 3600);
  });
});
