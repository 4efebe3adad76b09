// Money: currencies stay apart everywhere.
import { expect, test } from 'vitest';
import { amounts } from '#dashboards/pictures/amounts.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import { answer, numbers, panel, series, setting } from './answers.ts';

const money = panel({
  unit: 'money',
  picture: 'amounts',
  split: ['currency'],
  measures: [{ measure: 'value', label: 'sales' }],
});
const rows = ['2026-11-01', '2026-11-02'].flatMap((period) => [
  { period, currency: 'EUR', value: '10.50', sales_count: 1, state: 'complete' as const },
  { period, currency: 'JPY', value: 9000, sales_count: 2, state: 'complete' as const },
]);

test('two currencies are never on one axis', () => {
  const picture = amounts(money, [answer(rows)], setting);
  expect(picture.charts.map((chart) => chart.title)).toEqual(['EUR', 'JPY']);
  for (const chart of picture.charts) expect(series(chart.option)).toHaveLength(1);
  expect(numbers(series(picture.charts[0]?.option)[0])).toEqual([10.5, 10.5]);
});

test('two currencies are never added', () => {
  const picture = amounts(money, [answer(rows)], setting);
  const text = JSON.stringify([picture.table, picture.summary, picture.charts.map((chart) => chart.tips)]);
  expect(text).not.toMatch(/9[.,\s]?010|9[.,\s]?021/);
});

test('a tile shows one number for each currency and compares like with like', () => {
  const total = answer(
    [
      { currency: 'EUR', value: 20, state: 'complete' },
      { currency: 'JPY', value: 90, state: 'complete' },
    ],
    {
      compare: {
        from: '2026-10-30',
        to: '2026-10-31',
        rows: [
          { currency: 'JPY', value: 45, state: 'complete' },
          { currency: 'EUR', value: 40, state: 'complete' },
        ],
      },
    },
  );
  const face = tile({ ...money, picture: 'tile', better: 'more' }, [total], setting);
  expect(face.figures.map((it) => it.change?.text)).toEqual([
    '50% less than 30\u00a0Oct\u00a0– 31\u00a0Oct',
    '100% more than 30\u00a0Oct\u00a0– 31\u00a0Oct',
  ]);
});
