// Bars: zero line, hatches and what they are compared with.
import { expect, test } from 'vitest';
import { bars } from '#dashboards/pictures/bars.ts';
import { answer, days, numbers, panel, series, setting } from './answers.ts';

test('bars start at zero', () => {
  const option = bars(panel(), [answer(days('n', [5, 6]))], setting).charts[0]?.option;
  expect(option).toMatchObject({ yAxis: { min: 0 } });
});

test('an unsettled bar is hatched, a settled one is not', () => {
  const picture = bars(panel(), [answer(days('n', [5, 6], ['complete', 'open']))], setting);
  const points = series(picture.charts[0]?.option)[0]?.data;
  expect(points?.[0]).not.toHaveProperty('itemStyle.decal');
  expect(points?.[1]).toHaveProperty('itemStyle.decal');
  expect(picture.key.map((entry) => entry.mark)).toContain('hatch');
});

test('what they are compared with is a line of its own, told in the tip by its date and not in the table', () => {
  const compare = { from: '2026-10-25', to: '2026-10-26', rows: days('n', [1, 2], [], '2026-10-25') };
  const picture = bars(panel({ compare: true }), [answer(days('n', [5, 6]), { compare })], setting);
  expect(series(picture.charts[0]?.option).map((it) => it.type)).toEqual(['bar', 'line']);
  expect(numbers(series(picture.charts[0]?.option)[1])).toEqual([1, 2]);
  expect(picture.charts[0]?.tips[0]?.lines.at(-1)).toMatchObject({ name: 'Sun 25 Oct', value: '1' });
  expect(picture.table.columns).toHaveLength(2);
});

test('a stack leaves room for the sum of its parts', () => {
  const rows = [{ period: '2026-11-01', a: 60, b: 50, state: 'complete' as const }];
  const parts = panel({
    stacked: true,
    measures: [
      { measure: 'a', label: 'a' },
      { measure: 'b', label: 'b' },
    ],
  });
  const option = bars(parts, [answer(rows)], setting).charts[0]?.option as { yAxis: { max: number } };
  expect(option.yAxis.max).toBeGreaterThanOrEqual(110);
});

test('of more hours than there are pixels each bar is the highest of its day, and the table has them all', () => {
  const rows = Array.from({ length: 2400 }, (_, hour) => ({
    period: `${new Date(Date.UTC(2026, 0, 1, hour)).toISOString().slice(0, 13).replace('T', ' ')}:00`,
    a: hour % 24 === 9 ? 50 : hour % 24 < 6 ? null : 3,
    b: hour % 24 === 12 ? 40 : 2,
    state: hour < 2300 ? ('complete' as const) : ('open' as const),
  }));
  const measures = ['a', 'b'].map((measure) => ({ measure, label: measure }));
  const picture = bars(panel({ stacked: true, measures }), [answer(rows)], setting);
  const [first, second] = series(picture.charts[0]?.option);
  expect([first?.data.length, picture.table.rows.length, picture.charts[0]?.tips.length]).toEqual([100, 2400, 100]);
  // The parts of one hour: those of the highest sum.
  expect([numbers(first)[0], numbers(second)[0]]).toEqual([50, 2]);
  expect(picture.charts[0]?.tips[1]?.title).toContain('09:00');
  expect(first?.data[0]).not.toHaveProperty('itemStyle.decal');
  expect(first?.data.at(-1)).toHaveProperty('itemStyle.decal');
  expect(picture.summary).toContain('each bar is the highest hour of its day');
});

test('more bars than there are pixels are one shape without gaps, and the unsettled ones stay hatched', () => {
  const rows = Array.from({ length: 2000 }, (_, day) => ({
    period: new Date(Date.UTC(2021, 0, 1 + day)).toISOString().slice(0, 10),
    n: day % 5 ? day : null,
    state: day < 1900 ? ('complete' as const) : ('open' as const),
  }));
  const [settled, soft] = series(bars(panel(), [answer(rows)], setting).charts[0]?.option);
  expect(settled).toMatchObject({ large: true });
  expect(numbers(settled).slice(0, 3)).toEqual([0, 1, 2]);
  expect(
    numbers(settled)
      .slice(1900)
      .every((value) => value === 0),
  ).toBe(true);
  expect(numbers(soft).slice(1899, 1903)).toEqual([null, null, 1901, 1902]);
  expect(soft).toHaveProperty('itemStyle.decal');
});
