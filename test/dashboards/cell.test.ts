// From a drawn number to the question of its receipt.
import { expect, test } from 'vitest';
import { cellOf, receiptQuery } from '#dashboards/cell.ts';
import { bars } from '#dashboards/pictures/bars.ts';
import { heatmap } from '#dashboards/pictures/heatmap.ts';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import { answer, days, panel, setting } from './answers.ts';

const asking = {
  from: '2026-11-01',
  to: '2026-11-05',
  timezone: 'Asia/Kathmandu',
  grain: 'day' as const,
  group: ['1', '2'],
  agent: [],
  tag: ['<b>'],
  variable: [],
};

test('the receipt is asked with the page’s own question, narrowed to the period and the measure', () => {
  const picture = bars(panel(), [answer(days('n', [5, 6]))], setting);
  const cell = picture.charts[0]?.tips[1]?.lines[0]?.cell;
  expect(cell && receiptQuery(cell, asking).toString()).toBe(
    'from=2026-11-01&to=2026-11-05&timezone=Asia%2FKathmandu&grain=day&group=1&group=2&tag=%3Cb%3E&period=2026-11-02&measure=n',
  );
});

test('the table twin leads to the same receipts as the chart', () => {
  const picture = bars(panel(), [answer(days('n', [5, 6]))], setting);
  const ofTable = picture.table.rows.map((row) => row[1]?.cell);
  expect(ofTable).toEqual(picture.charts[0]?.tips.map((tip) => tip.lines[0]?.cell));
});

test('where there is no number there is no receipt', () => {
  const picture = bars(panel(), [answer(days('n', [5, null, 7], ['complete', 'complete', 'not_pulled']))], setting);
  expect(picture.table.rows.map((row) => row[1]?.cell !== undefined)).toEqual([true, false, false]);
});

test('a tile asks for the whole range, whatever the grain of the page', () => {
  const face = tile(panel({ picture: 'tile' }), [answer([{ n: 3, state: 'complete' }])], setting);
  const cell = face.figures[0]?.cell;
  expect(cell && receiptQuery(cell, asking).get('grain')).toBe('total');
  expect(cell && receiptQuery(cell, asking).has('period')).toBe(false);
});

test('a cell of a heatmap names its weekday and hour', () => {
  const week = panel({ picture: 'heatmap', split: ['weekday', 'hour_of_day'], grain: 'total' });
  const rows = [{ weekday: 'tue', hour_of_day: '05', n: 4, state: 'complete' as const }];
  const cell = heatmap(week, [answer(rows)], setting).charts[0]?.tips[24 + 5]?.lines[0]?.cell;
  const query = cell && receiptQuery(cell, asking);
  expect(query?.get('split')).toBe('weekday,hour_of_day');
  expect([query?.get('at.weekday'), query?.get('at.hour_of_day')]).toEqual(['tue', '05']);
});

test('chats without a tag have a row and a receipt of their own', () => {
  const tags = panel({ picture: 'ranking', split: ['tag'], grain: 'total' });
  const rows = [
    { tag: 'vip', n: 2, state: 'complete' as const },
    { tag: null, n: 9, state: 'complete' as const },
  ];
  const picture = ranking(tags, [answer(rows)], setting);
  expect(picture.table.rows[0]?.[0]?.text).toBe('without a tag');
  expect(picture.table.rows[0]?.[1]?.cell?.at).toEqual({ tag: '' });
});

test('a measure of another metric leads to that metric', () => {
  const row = { period: '2026-11-01', n: 1, state: 'complete' as const };
  expect(cellOf(panel(), { measure: 'n', metric: 'other' }, row, { kind: 'number', value: 1 })?.metric).toBe('other');
});
