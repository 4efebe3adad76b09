// Pace: counted again by a plain loop over the days, and what must hold of it whatever the days were.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceOf, type KnownDay, type PaceQuestion } from '#reports/period-goals/pace.ts';
import { standingOf } from '#reports/period-goals/standing.ts';
import { dateOf, dayNumber } from '#warehouse/periods.ts';
import { account, later, type Chat } from '../warehouse/account.ts';
import { contextOf } from '../warehouse/query-context.ts';

/** Days from one on, each as many as `of` says. */
function daysFrom(from: string, count: number, of: (weekday: number, at: number) => number): Map<string, KnownDay> {
  const days = new Map<string, KnownDay>();
  for (let at = 0; at < count; at += 1) {
    const day = dateOf(dayNumber(from) + at);
    days.set(day, { n: of(new Date(`${day}T00:00:00Z`).getUTCDay(), at), part: 0 });
  }
  return days;
}

const november = { from: '2026-11-01', to: '2026-11-30', isShare: false, isMost: false };

describe('the pace of a count', () => {
  it('follows the weekdays: after a weekend without chats nothing is behind', () => {
    // Ten a working day, none on Saturday and Sunday; 1 November 2026 is a Sunday.
    const known = daysFrom('2026-09-01', 76, (weekday) => (weekday === 0 || weekday === 6 ? 0 : 10));
    const asked: PaceQuestion = { ...november, amount: 210, known, today: '2026-11-16' };
    // Ten of the 21 working days are over: 100 of 210, though half of all days are gone.
    expect(paceOf(asked)).toMatchObject({
      ...{ standing: 'ahead', through: '2026-11-15', reached: 100, expected: 100, days_left: 15, weeks: 8 },
      ...{ per_day: 110 / 15, usual_per_day: 110 / 15, best_day: 10, unknown_days: 0 },
    });
    expect(paceOf({ ...asked, amount: 220 }).standing).toBe('behind');
    expect(paceOf({ ...asked, amount: 100 }).standing).toBe('reached');
    // More than ten on each of the fifteen days.
    expect(paceOf({ ...asked, amount: 251 }).standing).toBe('out_of_reach');
    expect(paceOf({ ...asked, amount: 250 }).standing).toBe('behind');
  });

  it('is what a loop over the days reckons, whatever they bring and wherever some are missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.nat(40), { freq: 6 }), { minLength: 80, maxLength: 80 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 0, max: 29 }),
        (amounts, amount, over) => {
          const start = dayNumber('2026-11-01') - 56;
          const known = new Map<string, KnownDay>();
          for (const [at, n] of amounts.entries())
            if (n !== null && at < 56 + over) known.set(dateOf(start + at), { n, part: 0 });
          const pace = paceOf({ ...november, amount, known, today: dateOf(dayNumber('2026-11-01') + over) });
          // The loop: weeks before that are whole, then the days of the month one by one.
          const usual = [0, 0, 0, 0, 0, 0, 0];
          let weeks = 0;
          for (let week = 0; week < 8; week += 1) {
            const some = amounts.slice(week * 7, week * 7 + 7);
            if (some.includes(null)) continue;
            weeks += 1;
            for (const [at, n] of some.entries()) usual[at] = (usual[at] ?? 0) + (n ?? 0);
          }
          const through = amounts.slice(0, 56 + over).findLastIndex((n) => n !== null);
          if (weeks === 0 || usual.every((n) => n === 0) || through < 56) return;
          let [reached, gone, all, holes] = [0, 0, 0, 0];
          for (let at = 56; at < 86; at += 1) {
            const share = usual[at % 7] ?? 0;
            all += share;
            const n = at <= through ? amounts[at] : null;
            if (at <= through && n == null) holes += 1;
            if (n == null) continue;
            reached += n;
            gone += share;
          }
          expect(pace).toMatchObject({ reached, weeks, unknown_days: holes, days_left: 85 - through });
          expect(pace.expected).toBeCloseTo((amount * gone) / all, 8);
          if (pace.per_day !== null) expect(reached + pace.per_day * pace.days_left).toBeCloseTo(amount, 8);
          if (reached >= amount) expect(pace.standing).toBe('reached');
          else if (pace.days_left > 0 && pace.standing !== 'out_of_reach')
            expect(pace.standing).toBe(reached >= (amount * gone) / all - 1e-6 ? 'ahead' : 'behind');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('says what is not known: nothing begun, no whole week before, days that are missing', () => {
    const none = paceOf({ ...november, amount: 10, known: new Map(), today: '2026-10-20' });
    expect(none).toMatchObject({ standing: 'not_begun', reached: null, days_left: 30, weeks: 0 });
    const three = daysFrom('2026-11-01', 3, () => 4);
    expect(paceOf({ ...november, amount: 120, known: three, today: '2026-11-04' })).toMatchObject({
      ...{ standing: 'ahead', weeks: 0, expected: 12, usual_per_day: null },
    });
    three.delete('2026-11-02');
    expect(paceOf({ ...november, amount: 120, known: three, today: '2026-11-04' }).unknown_days).toBe(1);
    expect(paceOf({ ...november, amount: 10, known: new Map(), today: '2026-11-04' }).standing).toBe('unknown');
  });
});

describe('the pace of a share', () => {
  const rated = (part: number) =>
    new Map(
      [...daysFrom('2026-09-01', 81, () => 10)].map(([day, { n }]) => [day, { n, part: day < '2026-11' ? 9 : part }]),
    );
  const asked = { ...november, isShare: true, amount: 0.9, today: '2026-11-21' };

  it('says what the rest must have, and when even all of it would not do', () => {
    // Twenty days of ten, 80 % of them good; a hundred still to come.
    const pace = paceOf({ ...asked, known: rated(8) });
    expect(pace).toMatchObject({ standing: 'out_of_reach', reached: 0.8, basis: 200, days_left: 10 });
    expect(pace.rest_share).toBeCloseTo((0.9 * 300 - 160) / 100, 12);
    const near = paceOf({ ...asked, amount: 0.85, known: rated(8) });
    expect(near.standing).toBe('behind');
    expect(near.rest_share).toBeCloseTo(0.95, 12);
    expect(paceOf({ ...asked, amount: 0.8, known: rated(8) }).standing).toBe('ahead');
  });

  it('of which little is wanted is out of reach when the rest would have to have less than none', () => {
    const most = { ...asked, isMost: true };
    expect(paceOf({ ...most, amount: 0.1, known: rated(2) })).toMatchObject({ standing: 'out_of_reach' });
    expect(paceOf({ ...most, amount: 0.15, known: rated(2) })).toMatchObject({ standing: 'behind' });
    expect(paceOf({ ...most, amount: 0.2, known: rated(2) })).toMatchObject({ standing: 'ahead' });
  });

  it('is final on the last day, and says nothing of fewer than ten', () => {
    const over = daysFrom('2026-10-01', 61, () => 0);
    over.set('2026-11-03', { n: 9, part: 9 });
    const done = { ...asked, today: '2026-12-01' };
    expect(paceOf({ ...done, known: over })).toMatchObject({ standing: 'too_few', days_left: 0 });
    over.set('2026-11-04', { n: 1, part: 0 });
    expect(paceOf({ ...done, known: over })).toMatchObject({ standing: 'reached', reached: 0.9 });
    over.set('2026-11-05', { n: 1, part: 0 });
    expect(paceOf({ ...done, known: over }).standing).toBe('missed');
  });
});

it('a goal is asked from the chats of its group and days, in the zone of the account', async () => {
  const zone = 'Pacific/Auckland';
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  const chats = Array.from({ length: 600 }, (_, at): Chat => {
    const start = new Date(Date.parse('2026-08-20T00:00:00Z') + at * 9_000_000).toISOString();
    return { start, groups: [at % 3], ...(at % 2 === 0 ? { first: [at % 90, 'a@x.test'] as const } : {}) };
  });
  const engine = await account(chats, zone);
  const now = Date.parse('2026-10-12T15:00:00Z') / 1000;
  const context = contextOf(engine, { ...later, zone, now });
  const goal = { group: 1, from: '2026-09-20', to: '2026-10-31', seconds: null, amount: 400 } as const;
  const mine = chats.filter(({ start, groups }) => {
    const day = local.format(new Date(start));
    return groups?.[0] === 1 && day >= goal.from && day <= '2026-10-12';
  });
  expect(await standingOf({ ...goal, kind: 'chats' }, context)).toMatchObject({
    ...{ through: '2026-10-12', reached: mine.length, days_left: 19, unknown_days: 0 },
  });
  const answered = mine.filter(({ first }) => first);
  const pace = await standingOf({ ...goal, kind: 'first_response', seconds: 40, amount: 0.5 }, context);
  expect([pace.basis, Math.round((pace.reached ?? 0) * pace.basis)]).toEqual([
    answered.length,
    answered.filter(({ first }) => (first?.[0] ?? 0) <= 40).length,
  ]);
  await engine.close();
});
