// The heatmap: every hour of the week has a place, and silence is not the palest shade.
import { expect, test } from 'vitest';
import { underHours } from '#dashboards/business-hours.ts';
import { heatmap } from '#dashboards/pictures/heatmap.ts';
import { shadeOf, shades } from '#dashboards/pictures/heatmap-shades.ts';
import { queue } from '#dashboards/queue.ts';
import { answer as answerOf, panel, series, setting } from './answers.ts';

const answer = (rows: Parameters<typeof answerOf>[0], more: object = {}) =>
  answerOf(rows, { from: '2026-11-02', to: '2026-11-08', ...more });

const rows = [
  { weekday: 'mon', hour_of_day: '00', n: 0, state: 'complete' as const },
  { weekday: 'tue', hour_of_day: '14', n: 7, state: 'settling' as const },
];
const drawn = heatmap(panel({ picture: 'heatmap', split: ['weekday', 'hour_of_day'] }), [answer(rows)], setting);

test('all 168 hours of the week are drawn', () => {
  expect(series(drawn.charts[0]?.option)[0]?.data).toHaveLength(168);
  expect(drawn.table.rows).toHaveLength(24);
  expect(drawn.table.columns).toHaveLength(8);
});

test('an hour without data is hatched, an hour with zero has the palest shade', () => {
  const data = series(drawn.charts[0]?.option)[0]?.data;
  expect(data?.[0]).toEqual([0, 0, 0, 0]);
  expect(data?.[1]).toEqual([1, 0, -1, 0]);
  expect(drawn.key.at(-1)).toMatchObject({ token: 'hatch', label: 'no data' });
});

test('a settling hour says so in its tip', () => {
  expect(drawn.charts[0]?.tips[24 + 14]).toMatchObject({
    title: 'Tuesday 14:00',
    note: expect.stringContaining('settling'),
  });
});

test('the summary names the highest and the lowest hour', () => {
  expect(drawn.summary).toBe('Chats: highest 7 (Tuesday 14:00), lowest 0 (Monday 00:00).');
});

test('an hour of few chats is small, says how many, and neither makes the scale nor is the highest', () => {
  const cells = [
    { weekday: 'mon', hour_of_day: '00', n: 900, count: 2, state: 'complete' as const },
    { weekday: 'mon', hour_of_day: '01', n: 30, count: 40, state: 'complete' as const },
    { weekday: 'mon', hour_of_day: '02', n: 20, count: 50, state: 'complete' as const },
  ];
  const basis = { measure: 'count', label: 'chats' };
  const slow = panel({ picture: 'heatmap', unit: 'seconds', split: ['weekday', 'hour_of_day'], basis });
  const picture = heatmap(slow, [answer(cells)], setting);
  const data = series(picture.charts[0]?.option)[0]?.data as number[][];
  expect(data.slice(0, 3).map((cell) => cell[3])).toEqual([1, 0, 0]);
  expect(picture.charts[0]?.tips[0]?.lines.map(({ name, value }) => `${name} ${value}`)).toEqual([
    'chats 15 m',
    'chats 2',
  ]);
  expect(picture.key.some(({ label }) => label.includes('15 m'))).toBe(false);
  // Its colour is that of the highest class, which says so.
  expect(picture.key.at(-2)?.label).toMatch(/^\d+ s and more$/);
  expect(picture.summary).toBe(
    'Chats: highest 30 s (Monday 01:00), lowest 20 s (Monday 02:00). Small squares rest on fewer than 10 chats.',
  );
});

test('numbers that make the scale are never beyond it, also where sums of fractions are a little more than a bound', () => {
  const sums = Array.from({ length: 40 }, (_, count) =>
    [0.01, 0.02, 0.05, 0.1, 0.2].map((part) =>
      Array<number>(count + 1)
        .fill(part)
        .reduce((sum, value) => sum + value),
    ),
  ).flat();
  for (const n of sums)
    for (const unit of ['share', 'score'] as const) {
      const week = panel({ picture: 'heatmap', unit, split: ['weekday', 'hour_of_day'] });
      const cell = { weekday: 'mon', hour_of_day: '00', n, state: 'complete' as const };
      const { key } = heatmap(week, [answer([cell])], setting);
      expect([n, key.filter(({ label }) => label.includes('more'))]).toEqual([n, []]);
    }
});

test('where hardly any hour is of more than a few chats, all of them make the scale', () => {
  const hours = (weekday: string, n: (hour: number) => number) =>
    Array.from({ length: 24 }, (_, hour) => ({
      ...{ weekday, hour_of_day: String(hour).padStart(2, '0'), n: n(hour), count: 2, state: 'complete' as const },
    }));
  const cells = [...hours('mon', (hour) => 60 * (hour + 1)), { ...hours('tue', () => 30)[0]!, count: 10 }];
  const basis = { measure: 'count', label: 'chats' };
  const slow = panel({ picture: 'heatmap', unit: 'seconds', split: ['weekday', 'hour_of_day'], basis });
  const picture = heatmap(slow, [answer(cells)], setting);
  expect(picture.key.at(-2)?.label).toMatch(/– 2\d m/);
  expect(picture.summary).toContain('Chats: 30 s (Tuesday 00:00)');
});

test.each([undefined, 'business' as const])(
  'an hour in which few were connected is never the best of the service level (hours: %s)',
  (hours) => {
    const [level] = underHours(
      queue.panels.filter(({ id }) => id === 'service-level-hours'),
      hours,
    );
    if (!level) throw new Error('The queue page has no service level by hour.');
    const cells = [
      { weekday: 'mon', hour_of_day: '00', answered_within: 1, entered_chat_count: 2, state: 'complete' as const },
      { weekday: 'mon', hour_of_day: '01', answered_within: 0.8, entered_chat_count: 40, state: 'complete' as const },
      { weekday: 'mon', hour_of_day: '02', answered_within: 0.5, entered_chat_count: 30, state: 'complete' as const },
    ];
    const picture = heatmap(level, [{ ...answer(cells), metric: level.metric }], setting);
    const data = series(picture.charts[0]?.option)[0]?.data as number[][];
    expect(data.slice(0, 3).map((it) => it[3])).toEqual([1, 0, 0]);
    expect(picture.charts[0]?.tips[0]?.lines.at(-1)).toMatchObject({ name: 'connected', value: '2' });
    expect(picture.summary).toContain('highest 80.0% (Monday 01:00)');
    expect(picture.summary).toContain('fewer than 10 connected');
  },
);

test('shades are even steps, zero has its own, and the largest number has the darkest', () => {
  const steps = shades([0, 5, 23, null]);
  expect(steps[0]).toMatchObject({ from: 0, to: 1, shade: 0 });
  const sizes = new Set(steps.slice(1).map((step) => step.to - step.from));
  expect(sizes.size).toBe(1);
  expect(shadeOf(23, steps)).toBe(steps.at(-1)?.shade);
  expect(shadeOf(0, steps)).toBe(0);
});

test('weekdays that a short range does not have are left out: they are no days without data', () => {
  const weekly = panel({ picture: 'heatmap', split: ['weekday', 'hour_of_day'] });
  const short = (from: string, to: string) => heatmap(weekly, [{ ...answer(rows), from, to }], setting);
  const titles = (picture: typeof drawn) => picture.table.columns.slice(1).map(({ title }) => title);
  const day = short('2026-11-24', '2026-11-24');
  expect(titles(day)).toEqual(['Tuesday']);
  expect(series(day.charts[0]?.option)[0]?.data).toHaveLength(24);
  expect(day.table.rows[14]?.map(({ text }) => text)).toEqual(['14:00', '7']);
  expect(day.charts[0]?.option).toMatchObject({ yAxis: { data: ['Tue'] } });
  expect(day.charts[0]?.tips[14]?.title).toBe('Tuesday 14:00');
  expect(day.charts[0]?.height).toBeLessThan(100);
  expect(titles(short('2026-11-22', '2026-11-24'))).toEqual(['Monday', 'Tuesday', 'Sunday']);
  expect(titles(short('2026-11-22', '2026-11-28'))).toHaveLength(7);
  expect(titles(short('2026-11-01', '2026-11-28'))).toHaveLength(7);
});
