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

test('a week of which the range has a part is paler, named by its days, and neither the highest nor the lowest', () => {
  const weeks = (values: number[], last: 'complete' | 'open' = 'complete') =>
    values.map(
      (n, at) => ({ period: `2026-W${40 + at}`, n, state: at === values.length - 1 ? last : 'complete' }) as const,
    );
  // From a Thursday to a Tuesday.
  const range = { from: '2026-10-01', to: '2026-10-20', grain: 'week' };
  const picture = bars(panel(), [answer(weeks([3, 70, 80, 9]), range)], setting);
  const points = series(picture.charts[0]?.option)[0]?.data ?? [];
  const isPale = (point: unknown) => (point as { itemStyle?: { opacity?: number } }).itemStyle?.opacity !== undefined;
  expect(points.map(isPale)).toEqual([true, false, false, true]);
  expect(picture.key.at(-1)).toMatchObject({ label: 'part of a week', mark: 'band' });
  expect(picture.summary).toContain('highest 80 (week 42, 12 Oct to 18 Oct), lowest 70 (week 41, 5 Oct to 11 Oct)');
  expect(picture.charts[0]?.tips.map(({ title }) => title)).toEqual([
    'week 40, only 1 Oct to 4 Oct',
    'week 41, 5 Oct to 11 Oct',
    'week 42, 12 Oct to 18 Oct',
    'week 43, only 19 Oct to 20 Oct',
  ]);
  expect(picture.table.rows[0]?.[0]).toMatchObject({ text: 'week 40, only 1 Oct to 4 Oct' });

  const open = bars(panel(), [answer(weeks([3, 70, 80, 9], 'open'), range)], setting);
  expect(series(open.charts[0]?.option)[0]?.data.at(-1)).toHaveProperty('itemStyle.decal');
  const whole = bars(
    panel(),
    [answer(weeks([3, 70]), { from: '2026-09-28', to: '2026-10-11', grain: 'week' })],
    setting,
  );
  expect([series(whole.charts[0]?.option)[0]?.data.map(isPale), whole.key]).toEqual([[false, false], []]);
  // Where there is nothing else, a part is told.
  const alone = bars(panel(), [answer(weeks([3]), { ...range, to: '2026-10-02' })], setting);
  expect(alone.summary).toContain('3 (week 40, only 1 Oct to 2 Oct)');
});
