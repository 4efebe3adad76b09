// Bars of a ranking: what there is nothing of has no bar and is named; the table keeps every number.
import { expect, it } from 'vitest';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { answer, panel, setting } from './answers.ts';

const state = 'complete' as const;
const byGoal = panel({
  picture: 'ranking',
  split: ['goal'],
  beside: true,
  measures: [
    { measure: 'goals', label: 'goals' },
    { measure: 'sales', label: 'sales' },
  ],
});
const reached = [
  { goal: 'Unseen', goals: 0, sales: 0, state },
  { goal: 'Shop', goals: 0, sales: 7, state },
  { goal: 'Plan', goals: 0, sales: 9, state },
  { goal: 'Booked', goals: 4, sales: 0, state },
];
/** Names and bars of the chart. */
function drawn({ charts }: ReturnType<typeof ranking>) {
  const option = charts[0]?.option ?? { yAxis: { data: [] }, series: [] };
  const { yAxis, series } = option as { yAxis: { data: string[] }; series: { data: unknown[] }[] };
  return { names: yAxis.data, bars: series.map(({ data }) => data) };
}

it('draws one bar of measures that exclude each other, and says who has most of each', () => {
  const picture = ranking({ ...byGoal, oneOfEach: true }, [answer(reached)], setting);
  expect(drawn(picture)).toEqual({
    names: ['Booked', 'Plan', 'Shop'],
    bars: [
      [4, null, null],
      [null, 9, 7],
    ],
  });
  expect(picture.charts[0]?.tips.map(({ lines }) => lines.map(({ name, value }) => [name, value]))).toEqual([
    [['goals', '4']],
    [['sales', '9']],
    [['sales', '7']],
  ]);
  expect(picture.summary).toBe(
    'Goals: highest 4 (Booked). Sales: highest 9 (Plan), lowest 7 (Shop). None in this range: Unseen.',
  );
});

it('keeps a 0 beside a number, and every number in the table', () => {
  const picture = ranking(byGoal, [answer(reached)], setting);
  expect(drawn(picture).bars).toEqual([
    [4, 0, 0],
    [0, 9, 7],
  ]);
  expect(picture.table.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ['Booked', '4', '0'],
    ['Plan', '0', '9'],
    ['Shop', '0', '7'],
    ['Unseen', '0', '0'],
  ]);
});

it('names five of those that there is nothing of, and counts the others', () => {
  const rows = Array.from({ length: 7 }, (_, at) => ({ goal: `G${at}`, goals: 0, sales: 0, state }));
  const picture = ranking(byGoal, [answer(rows)], setting);
  expect(picture.charts).toEqual([]);
  expect(picture.summary).toBe('None in this range: G0, G1, G2, G3, G4 and 2 more.');
});

it('leaves the order of weekdays whole, and 0 % is a score like others', () => {
  const weekdays = [
    { weekday: 1, goals: 3, sales: 0, state },
    { weekday: 2, goals: 0, sales: 0, state },
  ];
  expect(drawn(ranking({ ...byGoal, split: ['weekday'], inOrder: true }, [answer(weekdays)], setting)).bars).toEqual([
    [3, 0],
    [0, 0],
  ]);
  const shares = ranking({ ...byGoal, beside: false, unit: 'share' }, [answer(reached)], setting);
  expect(drawn(shares).names).toHaveLength(4);
});

it('names the goals that have no row, unless days are missing', () => {
  const rows = [{ goal: 1, goals: 3, sales: 0, state }];
  const named = { ...setting, names: { goal: { 1: 'Booked', 2: 'Shop', 3: 'Plan' } } };
  expect(ranking(byGoal, [answer(rows)], named).summary).toMatch(/ None in this range: Shop, Plan\.$/);
  const missing = [...rows, { goal: 3, goals: null, sales: null, state: 'not_pulled' as const }];
  expect(ranking(byGoal, [answer(missing)], named).summary).not.toContain('None');
});
