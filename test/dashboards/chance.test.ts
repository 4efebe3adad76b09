// What may be chance is called that: against published intervals, and in worlds where nothing changed.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  countsDiffer,
  pairsDiffer,
  scatterOf,
  sharesDiffer,
  student,
  zOfEdge,
  type Scatter,
} from '#dashboards/chance.ts';
import type { Panel } from '#dashboards/panel.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import { random } from '../drills/random.ts';
import { answer, days, panel, setting } from './answers.ts';

/** Newcombe, Statistics in Medicine 17 (1998), table II, method 10: whether the interval holds zero. */
it.each([
  [56, 70, 48, 80, true],
  [9, 10, 3, 10, true],
  [6, 7, 2, 7, true],
  [5, 56, 0, 29, false],
  [0, 10, 0, 20, false],
  [0, 10, 0, 10, false],
  [10, 10, 0, 20, true],
  [10, 10, 0, 10, true],
])('%i of %i against %i of %i', (a, m, b, n, differs) => {
  expect(sharesDiffer({ value: a / m, n: m }, { value: b / n, n })).toBe(differs);
  expect(sharesDiffer({ value: b / n, n }, { value: a / m, n: m })).toBe(differs);
});

it('without anybody counted nothing differs', () => {
  expect(sharesDiffer({ value: 0, n: 0 }, { value: 1, n: 50 })).toBe(false);
});

const next = random(20_261_123);
function poisson(mean: number): number {
  let [count, product] = [0, next()];
  for (const least = Math.exp(-mean); product > least; product *= next()) count += 1;
  return count;
}
/** Chats a day with a week of their own, and days that are busier as a whole by up to `swing`. */
const account = (count: number, swing: number): number[] =>
  Array.from({ length: count }, (_, day) => poisson((day % 7 < 5 ? 60 : 20) * (1 + swing * (2 * next() - 1))));
function scatter(counts: readonly number[]): Scatter {
  const found = scatterOf(counts);
  if (!found) throw new Error('three weeks are enough');
  return found;
}
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

it.each([0, 0.2, 0.4, 0.8])(
  'in accounts that do not change, at most 5 in 100 ranges seem to, with days that swing by %d',
  (swing) => {
    const worlds = 3000;
    const flagged = Array.from({ length: worlds }, () => {
      const [now, before] = [account(28, swing), account(28, swing)];
      return countsDiffer(sum(now), sum(before), scatter(now));
    }).filter(Boolean);
    expect(flagged.length / worlds).toBeLessThan(0.05);
  },
);

it('a third more is seen, also where days swing', () => {
  const worlds = Array.from({ length: 200 }, () => {
    const [now, before] = [account(28, 0.2).map((chats) => Math.round(chats * 1.33)), account(28, 0.2)];
    return countsDiffer(sum(now), sum(before), scatter(now));
  });
  expect(worlds.filter(Boolean).length / worlds.length).toBeGreaterThan(0.95);
});

it('days of a week of their own scatter as chats do, whatever the week is, and three weeks are needed', () => {
  const ratios = Array.from({ length: 200 }, () => {
    const chats = account(56, 0);
    return scatter(chats).variance / sum(chats);
  });
  expect(Math.abs(sum(ratios) / 200 - 1)).toBeLessThan(0.05);
  expect(scatterOf(account(20, 0))).toBeUndefined();
  expect(scatterOf(account(21, 0))?.freedom).toBeLessThanOrEqual(14);
  expect(scatterOf(Array.from({ length: 60 }, () => 0))).toEqual({ variance: 0, freedom: 53 });
});

/** Seconds of a day's median: a week of its own, and chats that scatter as answers do, by a factor. */
const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
const medians = (count: number, factor = 1): number[] =>
  Array.from({ length: count }, (_, day) => factor * (day % 7 < 5 ? 30 : 90) * Math.exp(0.4 * normal()));
const paired = (now: readonly number[], before: readonly number[]): (readonly [number, number])[] =>
  now.map((value, day) => [Math.log1p(value), Math.log1p(before[day] ?? NaN)]);

it.each([3, 5, 7, 14, 28])('of %i pairs of days that do not change, 5 in 100 ranges seem to', (count) => {
  const worlds = 40_000;
  const flagged = Array.from({ length: worlds }, () => pairsDiffer(paired(medians(count), medians(count))));
  expect(flagged).not.toContain(undefined);
  // Three standard errors of so many draws, to either side.
  const reach = 3 * Math.sqrt((0.05 * 0.95) / worlds);
  expect(Math.abs(flagged.filter(Boolean).length / worlds - 0.05)).toBeLessThan(reach);
});

/** How often chance alone exceeds t to either side: exact, Abramowitz and Stegun 26.7.3 and 26.7.4. */
function beyond(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const isOdd = freedom % 2 === 1;
  let [term, sum] = [isOdd ? Math.cos(angle) : 1, 0];
  for (let power = isOdd ? 1 : 0; power <= freedom - 2; power += 2) {
    sum += term;
    term *= ((power + 1) / (power + 2)) * Math.cos(angle) ** 2;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
  return 1 - within;
}

it('of nothing but chance, never more than 5 in 100 are called clear, nor 10 in 100 borderline, however few the days', () => {
  expect(beyond(4.302653, 2)).toBeCloseTo(0.05, 6);
  expect(beyond(2.570582, 5)).toBeCloseTo(0.05, 6);
  for (let freedom = 2; freedom <= 400; freedom++) {
    const [clear, edge] = [beyond(student(freedom), freedom), beyond(student(freedom, zOfEdge), freedom)];
    expect([freedom, clear <= 0.05, clear > 0.0495]).toEqual([freedom, true, true]);
    expect([freedom, edge <= 0.1, edge > 0.099]).toEqual([freedom, true, true]);
  }
});

it('half as long again is seen in four weeks, and two pairs say nothing', () => {
  const worlds = Array.from({ length: 200 }, () => pairsDiffer(paired(medians(28, 1.5), medians(28))));
  expect(worlds.filter(Boolean).length / worlds.length).toBeGreaterThan(0.9);
  const two = [1, 2].map((day) => [day, 100 * day] as const);
  expect([pairsDiffer(two), pairsDiffer([]), pairsDiffer([...two, [3, 300]])]).toEqual([undefined, undefined, false]);
  expect(pairsDiffer([...two, [3, 300]].map(([now = 0]) => [now + 5, now] as const))).toBe(true);
});

it('Student’s t as tables have it: a pair more or less decides where they say', () => {
  // Mean 1, and a standard error of 1/t: just outside and just inside of 95 %.
  const table = [
    { count: 5, t: 2.776 },
    { count: 8, t: 2.365 },
    { count: 15, t: 2.145 },
    { count: 29, t: 2.048 },
  ];
  for (const { count, t } of table)
    for (const [factor, differs] of [
      [1.02, true],
      [0.98, false],
    ] as const) {
      const half = Math.floor(count / 2);
      const signs = Array.from({ length: count }, (_, at) => (at < half ? 1 : at < 2 * half ? -1 : 0));
      const spread = Math.sqrt((2 * half) / (count - 1) / count);
      const pairs = signs.map((sign) => [1 + sign / spread / t / factor, 0] as const);
      expect([count, factor, pairsDiffer(pairs)]).toEqual([count, factor, differs]);
    }
});

it('a tile says "no clear change" of a duration and of money, by the days with those they are compared with', () => {
  const before = [40, 30, 35, 50, 20, 60, 45];
  const faceOf = (unit: 'seconds' | 'money', factors: readonly number[], states: ('open' | 'complete')[] = []) => {
    const now = before.map((value, day) => value * (factors[day % factors.length] ?? 1));
    const more = unit === 'money' ? { currency: 'EUR' } : {};
    const rows = (values: number[]) => days('n', values).map((row) => ({ ...row, ...more }));
    const compare = { from: '2026-10-25', to: '2026-10-31' };
    const total = answer([{ n: 44, state: 'complete', ...more }], {
      compare: { ...compare, rows: [{ n: 40, state: 'complete', ...more }] },
    });
    const trend = answer(
      rows(now).map((row, day) => ({ ...row, state: states[day] ?? ('complete' as const) })),
      { compare: { ...compare, rows: rows(before).map((row) => ({ ...row, period: `2026-10-${row.period}` })) } },
    );
    const split = unit === 'money' ? { split: ['currency'] } : {};
    return tile(panel({ unit, better: 'less', picture: 'tile', ...split }), [total, trend], setting);
  };
  for (const unit of ['seconds', 'money'] as const) {
    expect(faceOf(unit, [0.7, 1.5]).figures[0]?.change).toMatchObject({ sign: 0, verdict: 'neither' });
    expect(faceOf(unit, [0.7, 1.5]).figures[0]?.change?.text).toMatch(/^no clear change: /);
    expect(faceOf(unit, [1.3, 1.35]).figures[0]?.change).toMatchObject({ sign: 1, verdict: 'worse' });
  }
  expect(faceOf('money', [1]).spark).toEqual([]);
  // One wild day that is not over, beside a whole one, is no pair.
  expect(faceOf('seconds', [1.3, 1.35, 1.3, 1.35, 1.3, 1.35, 0.01]).figures[0]?.change?.text).toMatch(/^no clear/);
  const open = Array.from({ length: 7 }, (_, day) => (day === 6 ? ('open' as const) : ('complete' as const)));
  expect(faceOf('seconds', [1.3, 1.35, 1.3, 1.35, 1.3, 1.35, 0.01], open).figures[0]?.change?.sign).toBe(1);
});

it('which is more makes no difference', () => {
  const share = fc.record({ value: fc.double({ min: 0, max: 1, noNaN: true }), n: fc.integer({ min: 1, max: 5000 }) });
  fc.assert(fc.property(share, share, (one, other) => sharesDiffer(one, other) === sharesDiffer(other, one)));
  fc.assert(fc.property(share, (one) => !sharesDiffer(one, one)));
});

it('a tile says "no clear change" of a share and of a count, neither better nor worse', () => {
  const csat = panel({ unit: 'share', better: 'more', picture: 'tile', basis: { measure: 'rated', label: 'ratings' } });
  const changeOf = (value: number, rated: number) =>
    tile(
      csat,
      [
        answer([{ n: value, rated, state: 'complete' }], {
          compare: { from: '2026-10-25', to: '2026-10-29', rows: [{ n: 0.8, rated, state: 'complete' }] },
        }),
      ],
      setting,
    ).figures[0]?.change;
  expect(changeOf(0.84, 50)).toEqual({
    text: 'no clear change: 4 points more than 25\u00a0Oct\u00a0– 29\u00a0Oct',
    ...{ sign: 0, verdict: 'neither' },
  });
  expect(changeOf(0.84, 5000)).toMatchObject({ sign: 1, verdict: 'better' });

  const chats = (now: number) => {
    const compare = { from: '2026-10-06', to: '2026-11-02', rows: [{ n: 1000, state: 'complete' as const }] };
    const total = answer([{ n: now, state: 'complete' }], { compare });
    const even = Array.from({ length: 28 }, () => 36);
    return tile(panel({ picture: 'tile' }), [total, answer(days('n', even))], setting).figures[0]?.change?.text;
  };
  expect(chats(1050)).toMatch(/^no clear change: 5% more than /);
  expect(chats(1300)).toMatch(/^30% more than /);
});

it('a count of one day is no clear change as far as independent chats explain it, and no more is said beyond', () => {
  const textOf = (now: number, earlier: number) => {
    const compare = { from: '2026-10-28', to: '2026-10-28', rows: [{ n: earlier, state: 'complete' as const }] };
    const total = answer([{ n: now, state: 'complete' }], { compare });
    const hours = Array.from({ length: 24 }, (_, hour) => ({ period: `2026-11-04 ${hour}:00`, n: 10 }));
    const trend = answer(
      hours.map((row) => ({ ...row, state: 'complete' as const })),
      { grain: 'hour' },
    );
    return tile(panel({ picture: 'tile' }), [total, trend], setting).figures[0]?.change?.text;
  };
  expect(textOf(249, 253)).toMatch(/^no clear change: 1\.6% less than /);
  expect(textOf(36, 35)).toMatch(/^no clear change: /);
  expect(textOf(320, 240)).toMatch(/^33% more than /);
});

it('a count of a week is no clear change as far as independent chats explain it, however even its days are', () => {
  const textOf = (now: number, earlier: number) => {
    const compare = { from: '2026-10-26', to: '2026-11-01', rows: [{ n: 7 * earlier, state: 'complete' as const }] };
    const total = answer([{ n: 7 * now, state: 'complete' }], { compare });
    const week = (n: number) => days('n', Array<number>(7).fill(n));
    const trend = answer(week(now), { compare: { ...compare, rows: week(earlier) } });
    return tile(panel({ picture: 'tile' }), [total, trend], setting).figures[0]?.change?.text;
  };
  expect(textOf(28, 24)).toMatch(/^no clear change: 17% more than /);
  expect(textOf(34, 24)).toMatch(/^42% more than /);
});

it('a count of days that are not over is not measured against whole ones', () => {
  const changeOf = (unit: 'count' | 'share' | 'hours', until?: string, more: Partial<Panel> = {}) => {
    const compare = { from: '2026-10-26', to: '2026-10-27', rows: [{ n: 0.5, state: 'complete' as const }] };
    const total = answer([{ n: 0.25, state: 'open' }], { compare: { ...compare, ...(until ? { until } : {}) } });
    return tile(panel({ unit, picture: 'tile', ...more }), [total], setting).figures[0]?.change;
  };
  expect(changeOf('hours')?.text).toContain('in whole days: 30 m');
  // A mean of those that there are is one of a part of the days too.
  expect(changeOf('hours', undefined, { basis: { measure: 'k', label: 'solved tickets' } })?.text).toMatch(
    /^50% less than /,
  );
  expect(changeOf('count')).toEqual({
    text: '26\u00a0Oct\u00a0– 27\u00a0Oct, in whole days: 0.5',
    ...{ sign: 0, verdict: 'neither' },
  });
  const until = changeOf('count', '2026-10-27T13:15:00Z');
  expect(until?.text).toMatch(/^50% less than .*27\u00a0Oct up to\u00a0\d\d:15$/);
  // A share of time is another at night than by day; one of cases is the same of fewer of them.
  expect(changeOf('share')?.text).toContain('in whole days: 50.0%');
  expect(changeOf('share', '2026-10-27T13:15:00Z')?.text).toMatch(/^25 points less than /);
  expect(changeOf('share', undefined, { basis: { measure: 'k', label: 'rated chats' } })?.text).toMatch(
    /^25 points less than /,
  );
});

it('what is known by whole days says so of a range that is not over, and of a single day no more', () => {
  const changeOf = (unit: 'share' | 'seconds', from: string, before: string, state: 'open' | 'complete' = 'open') => {
    const to = '2026-11-05';
    const compare = { from: before, to: '2026-10-29', rows: [{ n: 0.5, k: 90, state: 'complete' as const }] };
    const total = answer([{ n: 0.25, k: 40, state }], { from, to, grain: 'total', compare });
    const basis = { measure: 'k', label: 'queued visitors' };
    return tile(panel({ unit, basis, better: 'less', picture: 'tile' }), [total], setting).figures[0]?.change;
  };
  const week = ['2026-10-30', '2026-10-23'] as const;
  expect(changeOf('share', ...week)).toMatchObject({ verdict: 'better' });
  expect(changeOf('share', ...week)?.text).toBe('25 points less than the week before, in whole days');
  expect(changeOf('share', ...week, 'complete')?.text).toBe('25 points less than the week before');
  const day = ['2026-11-05', '2026-10-29'] as const;
  expect(changeOf('share', ...day)).toEqual({
    text: 'the same weekday a week before, the whole day: 50.0%',
    ...{ sign: 0, verdict: 'neither' },
  });
  expect(changeOf('seconds', ...day)?.text).toBe('the same weekday a week before, the whole day: 0.5 s');
  expect(changeOf('share', ...day, 'complete')?.text).toBe('25 points less than the same weekday a week before');
});

it('a share without a count behind it is judged by its days, and neither better nor worse where they swing as much', () => {
  const occupancy = panel({ unit: 'share', better: 'more', picture: 'tile' });
  const days = (values: number[]) =>
    values.map((n, at) => ({ n, state: 'complete' as const, period: `2026-10-2${at}` }));
  const compare = { from: '2026-10-13', to: '2026-10-18' };
  const changeOf = (now: number[], before: number[], is: number, was: number) => {
    const total = answer([{ n: is, state: 'complete' }], {
      compare: { ...compare, rows: [{ n: was, state: 'complete' }] },
    });
    const trend = answer(days(now), { compare: { ...compare, rows: days(before) } });
    return tile(occupancy, [total, trend], setting).figures[0]?.change;
  };
  const before = [0.5, 0.52, 0.47, 0.55, 0.5, 0.51];
  const swung = changeOf([0.55, 0.48, 0.51, 0.49, 0.54, 0.5], before, 0.512, 0.508);
  expect(swung).toMatchObject({
    sign: 0,
    verdict: 'neither',
    text: expect.stringMatching(/^no clear change: 0.4 points/),
  });
  const grown = changeOf(
    before.map((value) => value + 0.1),
    before,
    0.608,
    0.508,
  );
  expect(grown).toMatchObject({ sign: 1, verdict: 'better' });
});
