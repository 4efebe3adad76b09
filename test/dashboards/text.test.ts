// Text from the data stays text: pictures carry values and names, never markup.
import { expect, test } from 'vitest';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { answer, panel, setting } from './answers.ts';

const NAME = '<img src=x onerror=alert(1)>{b|bold}';
const rows = [{ agent: 'a@example.com', score: 0.8, good: 9, bad: 1, total: 10, state: 'complete' as const }];
const ranked = panel({
  picture: 'ranking',
  unit: 'score',
  split: ['agent'],
  measures: [
    { measure: 'score', label: 'score' },
    { measure: 'good', label: 'good' },
  ],
});
const picture = ranking(ranked, [answer(rows)], { ...setting, names: { agent: { 'a@example.com': NAME } } });

test('names with HTML stay text', () => {
  expect(picture.charts[0]?.tips[0]?.title).toBe(NAME);
  expect(picture.table.rows[0]?.[0]?.text).toBe(NAME);
  expect(picture.charts[0]?.option).toMatchObject({ yAxis: { data: [NAME] } });
});

test('no option brings a tooltip formatter or rich text of its own', () => {
  const option = picture.charts[0]?.option as { tooltip: object; yAxis: { axisLabel: object } };
  expect(option.tooltip).not.toHaveProperty('formatter');
  expect(option.yAxis.axisLabel).not.toHaveProperty('rich');
});

test('a ranking longer than the chart says that the table has the rest', () => {
  const many = Array.from({ length: 200 }, (_, index) => ({
    ...rows[0],
    agent: `agent${index}`,
    state: 'complete' as const,
  }));
  const long = ranking(ranked, [answer(many)], setting);
  expect(long.table.rows).toHaveLength(200);
  expect(long.summary).toContain('The first 20 of 200 are drawn');
});
