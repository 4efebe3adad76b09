// A heatmap of several values: one for each, on one scale.
import { expect, test } from 'vitest';
import { splitHeatmap } from '#dashboards/pictures/split-heatmap.ts';
import { questions } from '#dashboards/questions.ts';
import { splitPanel } from '#dashboards/split-panel.ts';
import { canSplit, splitOf } from '#dashboards/splits.ts';
import { answer as answerOf, panel, series, setting } from './answers.ts';

const answer = (rows: Parameters<typeof answerOf>[0]) => answerOf(rows, { from: '2026-11-02', to: '2026-11-08' });

const metric = { splits: ['group', 'weekday', 'hour_of_day'], adds_up_by: [] };
const whole = panel({ id: 'week', picture: 'heatmap', grain: 'total', split: ['weekday', 'hour_of_day'] });
const choice = { group: ['1', '2'], agent: [], tag: [], variable: [], split: [], isTogether: false };
const names = { group: Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((id) => [id, `Group ${id}`])) };
const row = (group: string, weekday: string, hour_of_day: string, n: number) => ({
  ...{ group, weekday, hour_of_day, n, state: 'complete' as const },
});
const draw = (rows: ReturnType<typeof row>[], more: object = {}) =>
  splitHeatmap({ ...splitPanel(whole, 'group', metric), ...more }, [answer(rows)], { ...setting, names });
/** Shades of a chart by hour of the week: 0 is Monday at midnight. */
const shadesOf = (picture: ReturnType<typeof draw>, chart: number) =>
  (series(picture.charts[chart]!.option)[0]!.data as number[][]).map(([, , shade]) => shade);

test('two chosen groups are two heatmaps, unless they are wanted together; no heatmap is split by weekday', () => {
  expect(splitOf(whole, choice, metric)).toBe('group');
  expect(splitOf(whole, { ...choice, isTogether: true }, metric)).toBeUndefined();
  expect(splitOf(whole, { ...choice, split: ['week.none'] }, metric)).toBeUndefined();
  expect(splitOf(whole, { ...choice, split: ['week.weekday'] }, metric)).toBeUndefined();
  expect([canSplit(whole, metric, 'weekday'), canSplit(whole, metric, 'group')]).toEqual([false, true]);
  expect(questions(splitPanel(whole, 'group', metric)).map(({ split }) => split)).toEqual([
    ['group', 'weekday', 'hour_of_day'],
  ]);
});

test('the same number has the same shade in each, the larger group comes first, and both are told', () => {
  const picture = draw([row('1', 'mon', '00', 3), row('2', 'mon', '00', 30), row('2', 'tue', '01', 3)]);
  expect(picture.charts.map(({ title }) => title)).toEqual(['Group 2', 'Group 1']);
  expect(shadesOf(picture, 1)[0]).toBe(shadesOf(picture, 0)[25]);
  expect(shadesOf(picture, 0)[0]).toBeGreaterThan(Number(shadesOf(picture, 1)[0]));
  expect(picture.summary).toBe(
    'Group 2, chats: highest 30 (Monday 00:00), lowest 3 (Tuesday 01:00). Group 1, chats: 3 (Monday 00:00).',
  );
  expect(picture.table.rows).toHaveLength(48);
  expect(picture.table.rows[24]?.slice(0, 3).map(({ text }) => text)).toEqual(['Group 1', '00:00', '3']);
});

test('four are drawn, and the rest are in the table', () => {
  const picture = draw(Object.keys(names.group).map((id) => row(id, 'wed', '12', Number(id))));
  expect(picture.charts.map(({ title }) => title)).toEqual(['Group 6', 'Group 5', 'Group 4', 'Group 3']);
  expect(picture.summary).toContain('2 more not drawn');
  expect(picture.table.rows).toHaveLength(6 * 24);
  expect(draw([]).charts).toEqual([]);
});

test('what rests on a handful of chats makes no scale', () => {
  const rows = [
    { ...row('1', 'mon', '00', 50), count: 200 },
    { ...row('2', 'mon', '00', 9000), count: 1 },
  ];
  const basis = { measure: 'count', label: 'chats' };
  const picture = draw(rows, { unit: 'seconds', basis });
  expect(picture.key.at(-2)?.label).not.toMatch(/h/);
  expect(picture.charts.map(({ title }) => title)).toEqual(['Group 1', 'Group 2']);
});
