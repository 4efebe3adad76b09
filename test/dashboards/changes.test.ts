// What changed most: the parts and what they leave add up to the change, for sums, means and shares.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideMean, divideSum, type Division, type Pair } from '#dashboards/changes.ts';
import { changes } from '#dashboards/pictures/changes.ts';
import { random } from '../drills/random.ts';
import { answer, days, panel, setting } from './answers.ts';

const total = ({ parts, left }: Division) => parts.reduce((sum, part) => sum + part.change, 0) + left;
const count = fc.integer({ min: 0, max: 5000 });
const part = fc.record({ good: count, rated: count, goodBefore: count, ratedBefore: count });

const pair = (value: [number | null, number | null], weight: [number, number]): Pair => ({
  now: { value: value[0], weight: weight[0] },
  before: { value: value[1], weight: weight[1] },
});
const over = (value: number, weight: number) => (weight ? value / weight : null);

test('the parts of a sum and what they leave add up to its change, also when chats are in several parts', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), count, count, (parts, now, before) => {
      const keyed = parts.map((it, index) => ({ key: `${index}`, ...pair([it.good, it.goodBefore], [0, 0]) }));
      const division = divideSum(pair([now, before], [0, 0]), keyed);
      expect(division && total(division)).toBeCloseTo(now - before, 9);
    }),
  );
});

test('the parts of a mean leave nothing when every rating is in one part', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 20 }), (parts) => {
      const sum = (of: (it: (typeof parts)[number]) => number) => parts.reduce((all, it) => all + of(it), 0);
      const whole = pair(
        [
          over(
            sum((it) => it.good),
            sum((it) => it.rated),
          ),
          over(
            sum((it) => it.goodBefore),
            sum((it) => it.ratedBefore),
          ),
        ],
        [sum((it) => it.rated), sum((it) => it.ratedBefore)],
      );
      const keyed = parts
        // Nobody is good without being rated.
        .map((it) => ({ ...it, good: it.rated ? it.good : 0, goodBefore: it.ratedBefore ? it.goodBefore : 0 }))
        .map((it, index) => ({
          key: `${index}`,
          ...pair([over(it.good, it.rated), over(it.goodBefore, it.ratedBefore)], [it.rated, it.ratedBefore]),
        }));
      const isOdd = parts.some((it) => (!it.rated && it.good) || (!it.ratedBefore && it.goodBefore));
      const division = divideMean(whole, keyed);
      if (!division) return;
      expect(total(division)).toBeCloseTo(division.change, 9);
      if (!isOdd) expect(division.left).toBeCloseTo(0, 9);
    }),
  );
});

test('a share that rose in every part can fall as a whole, and the parts say why', () => {
  const whole = pair([0.66, 0.74], [100, 100]);
  const division = divideMean(whole, [
    { key: 'easy', ...pair([0.9, 0.8], [40, 90]) },
    { key: 'hard', ...pair([0.5, 0.2], [60, 10]) },
  ]);
  expect(division?.change).toBeCloseTo(-0.08, 9);
  expect(division?.left).toBeCloseTo(0, 9);
});

test('what a part brings is what its own value brings and what its share in the whole does', () => {
  const whole = pair([0.66, 0.74], [100, 100]);
  const parts = [
    { key: 'easy', ...pair([0.9, 0.8], [40, 90]) },
    { key: 'hard', ...pair([0.5, 0.2], [60, 10]) },
    { key: 'gone', ...pair([null, 0.5], [0, 0]) },
  ];
  const [easy, hard, gone] = ['easy', 'hard', 'gone'].map((key) =>
    divideMean(whole, parts)?.parts.find((part) => part.key === key),
  );
  // By hand: a tenth more of two thirds of the whole; half as much of it, and 0.15 better than all were.
  expect([easy?.rate, (easy?.change ?? 0) - (easy?.rate ?? 0)]).toEqual([
    expect.closeTo(0.065),
    expect.closeTo(-0.075),
  ]);
  expect([hard?.rate, (hard?.change ?? 0) - (hard?.rate ?? 0)]).toEqual([
    expect.closeTo(0.105),
    expect.closeTo(-0.175),
  ]);
  expect(gone).toMatchObject({ rate: 0, change: 0 });
});

test('a share of few ratings is never said to have made the change, however far it went', () => {
  const rows = (values: readonly (readonly [string, number, number])[]) =>
    values.map(([group, n, rated]) => row({ group, n, rated }));
  const csat = panel({
    ...{ unit: 'share', picture: 'changes', grain: 'total', by: ['group'] },
    measures: [{ measure: 'n', label: 'CSAT', weight: 'rated' }],
  });
  const told = (now: Parameters<typeof rows>[0], before: Parameters<typeof rows>[0], rated = 100) =>
    changes(
      csat,
      [
        answer([row({ n: 0.7, rated })], { split: [], compare: compare([row({ n: 0.8, rated })]) }),
        answer(rows(now), { split: ['group'], compare: compare(rows(before)) }),
      ],
      setting,
    ).summary;
  const few = told(
    [
      ['1', 0, 8],
      ['2', 0.76, 92],
    ],
    [
      ['1', 1, 9],
      ['2', 0.78, 91],
    ],
  );
  expect(few).toBe('CSAT: no clear change: −10.0 points against 27\u00a0Oct\u00a0– 31\u00a0Oct.');
  const many = told(
    [
      ['1', 0.5, 300],
      ['2', 0.78, 200],
    ],
    [
      ['1', 0.8, 300],
      ['2', 0.78, 190],
    ],
    490,
  );
  expect(many).toContain('Most of it: group 1');
  // What the parts leave is said too: the three add up to the change.
  const [rate = 0, mix = 0, left = 0] =
    /([−+][\d.]+) points within .* ([−+][\d.]+) .* ([−+][\d.]+) /
      .exec(many)
      ?.slice(1)
      .map((it) => Number(it.replace('−', '-'))) ?? [];
  expect(rate + mix + left).toBeCloseTo(-10, 6);
});

test('nothing is divided where one of the two times has no number', () => {
  expect(divideSum(pair([3, null], [0, 0]), [])).toBeUndefined();
  expect(divideMean(pair([0.5, 0.5], [10, 0]), [])).toBeUndefined();
});

const row = (more: object) => ({ state: 'complete' as const, ...more });
const compare = (rows: ReturnType<typeof row>[]) => ({ from: '2026-10-27', to: '2026-10-31', rows });
const changed = panel({ picture: 'changes', grain: 'total', by: ['group'] });

test('the picture names the largest parts, adds up the others and evens out chats of several groups', () => {
  const groups = (values: number[]) => values.map((n, index) => row({ group: index, n }));
  const picture = changes(
    changed,
    [
      answer([row({ n: 100 })], { split: [], compare: compare([row({ n: 40 })]) }),
      answer(groups([70, 9, 8, 7, 6, 5, 4]), { split: ['group'], compare: compare(groups([10, 8, 7, 6, 5, 4, 3])) }),
    ],
    setting,
  );
  const told = picture.table.rows.map((cells) => [cells[0]?.text, cells[3]?.text]);
  expect(told[0]).toEqual(['group: Total', '+60']);
  expect(told[1]).toEqual(['group: 0', '+60']);
  expect(told.slice(-2)).toEqual([
    ['group: Other', '+2'],
    ['group: overlap', '−6'],
  ]);
  expect(picture.summary).toContain('+60 against 27\u00a0Oct\u00a0– 31\u00a0Oct');
  expect(picture.summary).toContain('Most of it: group 0 +60.');
  expect(told[2]).toEqual(['group: 1', '+1 (may be chance)']);
  expect(picture.charts[0]?.tips.map(({ note }) => note).slice(0, 3)).toEqual([undefined, undefined, 'May be chance']);
  expect(picture.key.map(({ label }) => label)).toEqual(['may be chance']);
  expect(picture.charts[0]?.tips[1]?.lines[1]?.cell).toMatchObject({ at: { group: '0' }, grain: 'total' });
});

test('without a comparison there is no change to divide', () => {
  const picture = changes(changed, [answer([row({ n: 1 })], { split: [] })], setting);
  expect(picture.charts).toEqual([]);
  expect(picture.summary).toBe('nothing before to compare with');
});

const grouped = (now: object[], before: object[]) =>
  answer(
    now.map((it, group) => row({ group, ...it })),
    { split: ['group'], compare: compare(before.map((it, group) => row({ group, ...it }))) },
  );

test('a change that may be chance is grey and called unclear, and parts of it that changed clearly are named all the same', () => {
  const whole = answer([row({ n: 6130 })], { split: [], compare: compare([row({ n: 6134 })]) });
  const picture = changes(changed, [whole, grouped([{ n: 4000 }, { n: 2130 }], [{ n: 3700 }, { n: 2434 }])], setting);
  expect(picture.summary).toBe(
    'Chats: no clear change: −4 against 27\u00a0Oct\u00a0– 31\u00a0Oct. Changed clearly: group 1 −304.',
  );
  expect(picture.table.rows[0]?.[3]?.text).toBe('−4 (may be chance)');
  expect(picture.charts[0]?.tips[0]?.note).toBe('May be chance');
});

test('a count is judged by how the days of the account swing, as its tile is, and so are its parts', () => {
  const even = Array.from({ length: 28 }, () => 40);
  const swinging = even.map((value, day) => value + (Math.floor(day / 7) % 2 === 0 ? 15 : -15));
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  const told = (byDay: number[]) => {
    const whole = answer([row({ n: sum(byDay) })], { split: [], compare: compare([row({ n: sum(byDay) - 160 })]) });
    const trend = answer(days('n', byDay), { split: [] });
    return changes(changed, [whole, grouped([{ n: 660 }, { n: 460 }], [{ n: 550 }, { n: 410 }]), trend], setting);
  };
  expect(told(even).summary).not.toContain('may still change');
  const young = { ...answer(days('n', even, [...even.slice(1).map(() => 'complete' as const), 'open'])), split: [] };
  const wholly = answer([row({ n: 9 })], { split: [], compare: compare([row({ n: 9 })]) });
  expect(changes(changed, [wholly, grouped([], []), young], setting).summary).toMatch(/ One day may still change\.$/);
  const tokens = ({ table }: ReturnType<typeof told>) => table.rows.map((cells) => cells[3]?.text.includes('chance'));
  expect(tokens(told(even))).toEqual([false, false, true]);
  expect(tokens(told(swinging))).toEqual([true, true, true]);
});

test('of waits that do not change, a mean of a group seems to in fewer than 7 of 100, and one that grew by a quarter does', () => {
  const next = random(20_261_127);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const group = (count: number, factor = 1) => {
    const waits = Array.from({ length: count }, () => factor * Math.exp(4 + 0.9 * normal())).sort((a, b) => a - b);
    const at = (part: number) => waits[Math.floor(part * count)];
    return { seconds: waits.reduce((all, it) => all + it, 0) / count, k: count, p50: at(0.5), p90: at(0.9) };
  };
  const mean = panel({
    ...{ unit: 'seconds', picture: 'changes', grain: 'total', by: ['group'] },
    measures: [{ measure: 'seconds', label: 'mean wait', weight: 'k' }],
  });
  const isClear = (now: object, before: object) => {
    const whole = answer([row(now)], { split: [], compare: compare([row(before)]) });
    return !changes(mean, [whole, grouped([now], [before])], setting).table.rows[1]?.[3]?.text.includes('chance');
  };
  const worlds = 1000;
  const flagged = Array.from({ length: worlds }, () => isClear(group(200), group(200))).filter(Boolean).length;
  expect(flagged / worlds).toBeLessThan(0.07);
  expect(flagged).toBeGreaterThan(0);
  const grown = Array.from({ length: 200 }, () => isClear(group(500, 1.25), group(500))).filter(Boolean).length;
  expect(grown / 200).toBeGreaterThan(0.7);
});

test('parts that are as good as nothing get no bar', () => {
  const mean = panel({
    ...{ unit: 'seconds', picture: 'changes', grain: 'total', by: ['group'] },
    measures: [{ measure: 'seconds', label: 'mean wait', weight: 'k' }],
  });
  const of = (seconds: number) => ({ seconds, k: 50, p50: 18, p90: 40 });
  const whole = answer([row({ ...of(20.03), k: 100 })], { split: [], compare: compare([row({ ...of(20), k: 100 })]) });
  const picture = changes(mean, [whole, grouped([of(20.04), of(20.02)], [of(20), of(20)])], setting);
  expect(picture.table.rows.map((cells) => cells[0]?.text)).toEqual(['group: Total', 'group: Other']);
  expect(picture.charts[0]?.option).toMatchObject({ xAxis: { max: 1 } });
});
