// When a digest is due: wall-clock times of its own zone, across clock changes, sleep and restarts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOf } from '#digests/cron.ts';
import { dueNow, nextDue, type DueDigest, type Schedule } from '#digests/due.ts';
import { periodBefore, periodOf } from '#digests/periods.ts';
import { dayNumber, localDate } from '#warehouse/periods.ts';
import { offsetAt } from '#warehouse/zone.ts';
import { second } from '../warehouse/account.ts';

const iso = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at * 1000).toISOString();

/** Every time after `after` up to and including `until`, in order. */
function dueBetween(schedule: Schedule, after: number, until: number): DueDigest[] {
  const found: DueDigest[] = [];
  for (let next = nextDue(schedule, after); next && next.at <= until; next = nextDue(schedule, next.at))
    found.push(next);
  return found;
}

const due = (cron: string, timezone: string, from: string, to: string) =>
  dueBetween({ cron, timezone }, second(from), second(to)).map(({ at }) => iso(at));

describe('wall-clock times', () => {
  it('02:30 on the night that skips it is sent at 03:00', () => {
    expect(due('30 2 * * *', 'Europe/Warsaw', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
    ]);
  });
  it('a doubled hour counts once, the first time', () => {
    expect(due('30 2 * * *', 'Europe/Warsaw', '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
    ]);
  });
  it('a time and the hour that it is moved to are due once', () => {
    expect(due('0,30 2,3 * * *', 'Europe/Warsaw', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ]);
  });
  it('zones that change by half an hour or at midnight are understood', () => {
    expect(due('10 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', '2026-10-03T20:00:00Z')).toEqual([
      '2026-10-03T15:30:00.000Z',
    ]);
    expect(due('0 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-24T12:00:00Z')).toEqual([
      '2026-04-23T22:00:00.000Z',
    ]);
  });
  it('the next time is found, however far away', () => {
    expect(iso(nextDue({ cron: '0 7 * * 1', timezone: 'Europe/Warsaw' }, second('2026-11-21T21:00:00Z'))?.at)).toBe(
      '2026-11-23T06:00:00.000Z',
    );
    expect(iso(nextDue({ cron: '0 7 29 2 *', timezone: 'UTC' }, second('2026-11-21T21:00:00Z'))?.at)).toBe(
      '2028-02-29T07:00:00.000Z',
    );
  });
});

const zones = [
  'UTC',
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Pacific/Apia',
];
const schedule = fc.record({
  timezone: fc.constantFrom(...zones),
  cron: fc
    .tuple(
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 23 }),
      fc.constantFrom('* * *', '* * 1', '1 * *', '15 */3 *', '* * 1-5'),
    )
    .map(([minute, hour, days]) => `${minute} ${hour} ${days}`),
});
/** The same by plain loops over the days, each minute of a skipped hour tried. */
function momentsOf({ cron, timezone }: Schedule, after: number, until: number): number[] {
  const [minute, hour, date = '', month = '', weekday = ''] = cron.split(' ');
  const isOn = (day: number): boolean => {
    const at = new Date(day * 86_400_000);
    const [from = 0, to = from] = weekday.split('-').map(Number);
    return (
      (date === '*' || Number(date) === at.getUTCDate()) &&
      (month === '*' || at.getUTCMonth() % Number(month.slice(2)) === 0) &&
      (weekday === '*' || (at.getUTCDay() >= from && at.getUTCDay() <= to))
    );
  };
  const found: number[] = [];
  for (let day = dayNumber(localDate(timezone, after)) - 1; day <= dayNumber(localDate(timezone, until)) + 1; day++) {
    if (!isOn(day)) continue;
    const local = day * 86_400 + Number(hour) * 3600 + Number(minute) * 60;
    // Wall-clock times lie at most 14 hours before and 12 after UTC.
    const near = Array.from({ length: (26 * 3600) / 900 + 1 }, (_, at) => local - 14 * 3600 + at * 900);
    const isThere = (at: number): boolean => at + offsetAt(timezone, at) >= local;
    let moment = near.find(isThere) ?? NaN;
    while (isThere(moment - 60)) moment -= 60;
    if (moment > after && moment <= until) found.push(moment);
  }
  return found;
}
const start = fc.integer({ min: second('2025-01-01T00:00:00Z'), max: second('2028-01-01T00:00:00Z') });

describe('rules that hold for every schedule', () => {
  it('each matching local day has exactly one moment, and it is that wall-clock time or the end of a skipped one', () => {
    fc.assert(
      fc.property(schedule, start, (it, from) => {
        const until = from + 60 * 86_400;
        expect(dueBetween(it, from, until).map(({ at }) => at)).toEqual(momentsOf(it, from, until));
      }),
      { numRuns: 60 },
    );
  });

  it('looking in any rhythm, asleep or awake, sends no moment twice and always the newest', () => {
    const steps = fc.array(fc.integer({ min: 30, max: 20 * 86_400 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(schedule, start, steps, (it, from, sleeps) => {
        let handled = from;
        let now = from;
        const sent: number[] = [];
        for (const sleep of sleeps) {
          now += sleep;
          const next = dueNow(it, handled, now);
          const all = dueBetween(it, handled, now);
          expect(next?.at).toBe(all.at(-1)?.at);
          if (!next) continue;
          sent.push(next.at);
          handled = next.at;
          expect(dueNow(it, handled, now)).toBeUndefined();
        }
        expect(new Set(sent).size).toBe(sent.length);
        expect([...sent].sort((one, other) => one - other)).toEqual(sent);
      }),
      { numRuns: 60 },
    );
  });
});

describe('periods', () => {
  it('are the whole ones before a day', () => {
    expect(periodBefore('yesterday', '2026-03-01')).toMatchObject({ label: '2026-02-28' });
    expect(periodBefore('last_week', '2026-11-23')).toMatchObject({
      label: '2026-W47',
      from: '2026-11-16',
      to: '2026-11-22',
    });
    expect(periodBefore('last_week', '2027-01-03')).toMatchObject({ label: '2026-W52', from: '2026-12-21' });
    expect(periodBefore('last_month', '2026-01-31')).toMatchObject({
      label: '2025-12',
      from: '2025-12-01',
      to: '2025-12-31',
    });
    expect(periodBefore('last_quarter', '2026-01-02')).toMatchObject({
      label: '2025-Q4',
      from: '2025-10-01',
      to: '2025-12-31',
    });
  });
  it('are found again by their label', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: dayNumber('2000-01-01'), max: dayNumber('2099-12-31') }),
        fc.constantFrom('yesterday', 'last_week', 'last_month', 'last_quarter'),
        (day, name) => {
          const period = periodBefore(name, new Date(day * 86_400_000).toISOString().slice(0, 10));
          expect(periodOf(period.label)).toEqual(period);
        },
      ),
    );
  });
  it('what is no period is none', () => {
    for (const label of ['2026-W54', '2026-13', '2026-02-30', '2026-Q5', 'soon', '2025-W53'])
      expect(periodOf(label)).toBeUndefined();
  });
});

describe('cron expressions', () => {
  it('say what is wrong with them', () => {
    expect(problemOf('0 7 * * 1')).toBeUndefined();
    expect(problemOf('*/15 8-18 * * mon-fri')).toBeUndefined();
    expect(problemOf('0 7 * *')).toContain('five fields');
    expect(problemOf('61 7 * * *')).toContain('minute: 61');
    expect(problemOf('0 7 31 2 *')).toContain('never comes');
    expect(problemOf('0 7 * * 5-1')).toContain('5-1');
  });
});
