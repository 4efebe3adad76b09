// What ripens is compared over days that do not change any more, and over the same days before, as a plain sum has it.
import fc from 'fast-check';
import { dashboards } from '#dashboards/dashboards.ts';
import { expect, it } from 'vitest';
import type { AnswerRow, State } from '#dashboards/answer.ts';
import type { Panel } from '#dashboards/panel.ts';
import { changes } from '#dashboards/pictures/changes.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import { finalDaysOf } from '#dashboards/final-days.ts';
import { answer, days, panel, setting } from './answers.ts';

const csat = panel({
  unit: 'share',
  better: 'more',
  picture: 'tile',
  basis: { measure: 'rated', label: 'rated chats' },
});
const sales = panel({ unit: 'money', better: 'more', isLate: true, picture: 'tile', split: ['currency'] });
const last = (unripe: number, count: number): State[] =>
  Array.from({ length: count }, (_, day) =>
    day < count - unripe ? 'complete' : day < count - 1 ? 'settling' : 'open',
  );
const compare = { from: '2026-10-25', to: '2026-10-31' };
const shares = (
  values: readonly (readonly [good: number, rated: number])[],
  states: State[],
  first?: string,
): AnswerRow[] =>
  days(
    'n',
    values.map(([good, rated]) => (rated > 0 ? good / rated : null)),
    states,
    first,
  ).map((row, day) => ({
    ...row,
    rated: values[day]?.[1] ?? 0,
  }));

it('a share is that of all who rated on ripe days, and so is the one before', () => {
  const rated = fc
    .tuple(fc.nat(30), fc.nat(30))
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
  const week = fc.array(rated, { minLength: 7, maxLength: 7 });
  const sum = (values: readonly (readonly [number, number])[], place: 0 | 1) =>
    values.reduce((all, it) => all + it[place], 0);
  fc.assert(
    fc.property(week, week, fc.integer({ min: 3, max: 6 }), (now, before, unripe) => {
      const trend = answer(shares(now, last(unripe, 7)), {
        compare: { ...compare, rows: shares(before, [], '2026-10-25') },
      });
      const ripe = finalDaysOf(csat, trend);
      if (!ripe || ripe === 'none') throw new Error('there are ripe days');
      const [is, was] = [now.slice(0, 7 - unripe), before.slice(0, 7 - unripe)];
      expect(ripe.until).toBe(`2026-11-0${7 - unripe}`);
      expect(ripe.trend.compare).toMatchObject({ from: '2026-10-25', to: `2026-10-${31 - unripe}` });
      expect([ripe.now['rated'], ripe.earlier['rated']]).toEqual([sum(is, 1), sum(was, 1)]);
      const share = (of: typeof is) => (sum(of, 1) > 0 ? expect.closeTo(sum(of, 0) / sum(of, 1), 9) : null);
      expect([ripe.now['n'], ripe.earlier['n']]).toEqual([share(is), share(was)]);
    }),
  );
});

const faceOf = (states: State[], more: Partial<Panel> = {}) => {
  const ratings = Array.from({ length: 7 }, () => [90, 100] as const);
  const young = ratings.map((it, day) => (states[day] === 'complete' ? it : ([1, 10] as const)));
  const earlier = ratings.map(() => [60, 100] as const);
  const total = answer([{ n: 0.5, rated: 500, state: 'settling' }], {
    to: '2026-11-07',
    compare: { ...compare, rows: [{ n: 0.6, rated: 700, state: 'complete' }] },
  });
  const trend = answer(shares(young, states), { compare: { ...compare, rows: shares(earlier, [], '2026-10-25') } });
  return tile({ ...csat, ...more }, [total, trend], setting).figures[0];
};

it('a tile shows the whole range, and the change of its ripe days', () => {
  expect(faceOf(last(3, 7))).toMatchObject({
    text: '50.0%',
    // The number that changed is that of those days: with the 50% of the whole range it would be another change.
    change: {
      text: '90.0% up to\u00a04\u00a0Nov, 30 points more than 25\u00a0Oct\u00a0– 28\u00a0Oct',
      verdict: 'better',
      isOfFinalDays: true,
    },
  });
  // Young ratings are fewer, and not worse for that; of what is late nothing is said.
  expect(faceOf(last(7, 7))?.change?.text).toMatch(/^10 points less than the week before$/);
  const late = { text: 'compared once final', sign: 0, verdict: 'neither' };
  expect(faceOf(last(7, 7), { isLate: true })?.change).toEqual(late);
  // A last day that is not over is compared up to its clock time.
  expect(faceOf(last(2, 7))?.change?.text).toMatch(/^10 points less than the week before$/);
});

it('sales of one currency are added up apart from others, and days without any count as none', () => {
  const rows = (values: readonly (readonly [string, number, string])[], states: State[]): AnswerRow[] =>
    values.map(([period, n, currency]) => ({
      period,
      n,
      currency,
      state: states[Number(period.slice(-2)) - 1] ?? 'complete',
    }));
  const states = last(3, 5);
  const now = [
    ['2026-11-01', 10, 'EUR'],
    ['2026-11-01', 7, 'USD'],
    ['2026-11-02', 5, 'EUR'],
    ['2026-11-03', 1, 'EUR'],
    ['2026-11-04', 2, 'EUR'],
    ['2026-11-05', 3, 'EUR'],
  ] as const;
  const before = [
    ['2026-10-25', 4, 'EUR'],
    ['2026-10-26', 9, 'USD'],
    ['2026-10-27', 50, 'EUR'],
  ] as const;
  const trend = answer(rows(now, states), { compare: { ...compare, rows: rows(before, []) } });
  expect(finalDaysOf(sales, trend, 'EUR')).toMatchObject({ now: { n: 15 }, earlier: { n: 4 }, until: '2026-11-02' });
  expect(finalDaysOf(sales, trend, 'USD')).toMatchObject({ now: { n: 7 }, earlier: { n: 9 }, until: '2026-11-02' });
});

it('a count that is late is added up over ripe days', () => {
  const counts = panel({ unit: 'count', isLate: true, picture: 'tile', basis: { measure: 'chats', label: 'chats' } });
  const rows = (values: number[], states: State[]) => days('n', values, states).map((row) => ({ ...row, chats: 9 }));
  const trend = answer(rows([5, 3, 1, 0, 0], last(3, 5)), { compare: { ...compare, rows: rows([2, 4, 8, 8, 8], []) } });
  expect(finalDaysOf(counts, trend)).toMatchObject({ now: { n: 8 }, earlier: { n: 6 }, until: '2026-11-02' });
});

it('each tile of goals, sales and returning visitors is compared over ripe days', () => {
  const late = dashboards
    .flatMap(({ panels }) => panels)
    .filter(({ picture, metric }) => picture === 'tile' && ['goals', 'conversion', 'repeat_contact'].includes(metric));
  expect(late.length).toBeGreaterThan(4);
  for (const it of late) {
    const measure = it.measures[0]?.measure ?? '';
    const whole = it.basis?.measure ?? 'whole';
    const rows = (value: number, states: State[]) =>
      days(measure, [value, value, 0, 0, 0], states).map((row) => ({ ...row, [whole]: 20, currency: 'EUR' }));
    const trend = answer(rows(0.5, last(3, 5)), { compare: { ...compare, rows: rows(0.25, []) } });
    const times = it.unit === 'share' ? 1 : 2;
    expect([it.id, finalDaysOf(it, trend, 'EUR')]).toMatchObject([
      it.id,
      { now: { [measure]: 0.5 * times }, earlier: { [measure]: 0.25 * times }, until: '2026-11-02' },
    ]);
  }
});

it('what does not ripen, has no line by day, or cannot be added up, is compared as it is', () => {
  const trend = answer(days('n', [1, 2, 3, 4], last(3, 4)), { compare: { ...compare, rows: days('n', [1, 2, 3, 4]) } });
  expect(finalDaysOf(sales, undefined)).toBeUndefined();
  expect(finalDaysOf(panel({ unit: 'count' }), trend)).toBeUndefined();
  expect(finalDaysOf(panel({ unit: 'share' }), trend)).toBeUndefined();
  expect(finalDaysOf(sales, { ...trend, grain: 'week' })).toBeUndefined();
  expect(finalDaysOf(sales, answer(trend.rows))).toBeUndefined();
});

it('a share is weighed by what it is a share of, and one without a count is compared as it is', () => {
  const rows = (values: readonly number[], states: State[]) =>
    days(
      'n',
      values.map((back) => back / 50),
      states,
    ).map((row, day) => ({ ...row, back: values[day] ?? 0, chats: 50 }));
  const trend = answer(rows([5, 0, 1, 0], last(3, 4)), { compare: { ...compare, rows: rows([10, 1, 1, 1], []) } });
  const back = panel({ unit: 'share', picture: 'tile', basis: { measure: 'chats', label: 'chats' } });
  expect(finalDaysOf(back, trend)).toMatchObject({ now: { n: 0.1, chats: 50 }, earlier: { n: 0.2, chats: 50 } });
  expect(finalDaysOf(panel({ unit: 'share' }), trend)).toBeUndefined();
});

it('days of which some were not pulled are not compared', () => {
  const before = days('n', [1, 2, 3, 4, 5], ['complete', 'not_pulled']);
  const trend = answer(days('n', [1, 2, 3, 4, 5], last(3, 5)), { compare: { ...compare, rows: before } });
  expect(finalDaysOf(sales, trend)).toBeUndefined();
});

it('a figure is compared in the same way on every page that has it', () => {
  const tiles = dashboards.flatMap(({ path, panels }) =>
    panels.filter(({ picture }) => picture === 'tile').map((panel) => ({ path, panel })),
  );
  const byFigure = Map.groupBy(tiles, ({ panel }) => `${panel.metric} ${panel.measures[0]?.measure}`);
  expect([...byFigure.values()].filter(({ length }) => length > 1).length).toBeGreaterThan(3);
  for (const [name, same] of byFigure) {
    const ways = same.map(({ panel: { basis, isLate, better } }) => JSON.stringify([basis?.measure, isLate, better]));
    expect([name, new Set(ways).size]).toEqual([name, 1]);
  }
});

it('what changed most says of the final days what the tile says, and is no clearer than they are', () => {
  const divided = panel({
    ...{ unit: 'share', picture: 'changes', grain: 'total', by: ['group'] },
    measures: [{ measure: 'n', label: 'CSAT', weight: 'rated' }],
  });
  const before = shares(
    Array.from({ length: 7 }, () => [800, 1000] as const),
    [],
    '2026-10-25',
  );
  // Of the last three days, which may still change, the good ratings came first.
  const now = [
    ...Array.from({ length: 4 }, () => [805, 1000] as const),
    ...Array.from({ length: 3 }, () => [950, 1000] as const),
  ];
  const told = (unripe: number) => {
    const trend = answer(shares(now, last(unripe, 7)), { split: [], compare: { ...compare, rows: before } });
    const range = { n: (4 * 805 + 3 * 950) / 7000, rated: 7000 };
    const [row, earlier] = [range, { n: 0.8, rated: 7000 }].map((it): AnswerRow => ({ state: 'complete', ...it }));
    const whole = answer([row!], { split: [], compare: { ...compare, rows: [earlier!] } });
    const groups = answer([{ ...row!, group: 1 }], {
      split: ['group'],
      compare: { ...compare, rows: [{ ...earlier!, group: 1 }] },
    });
    const picture = changes(divided, [whole, groups, trend], setting);
    return { picture, tile: tile(csat, [whole, trend], setting).figures[0]?.change?.text ?? '' };
  };
  const { picture, tile: figure } = told(3);
  expect(figure).toBe(
    'no clear change: 80.5% up to\u00a04\u00a0Nov, 0.5 points more than 25\u00a0Oct\u00a0– 28\u00a0Oct',
  );
  expect(picture.summary).toContain(`N${figure.slice(1)}.`);
  expect(picture.summary).toMatch(/^CSAT: no clear change: \+6.7/);
  expect(picture.table.rows[0]?.[3]?.text).toContain('(may be chance)');
  const settled = told(0).picture;
  expect(settled.summary).not.toContain('up to');
  expect(settled.summary).toMatch(/^CSAT: \+6.7/);
});
