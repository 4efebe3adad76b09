// The chart of a SQL result: what is drawn by default, where points stand, what is left out and said, and that no chart is without bounds.
import { describe, expect, it } from 'vitest';
import { light } from '#dashboards/theme.ts';
import { choiceFor, isChartChoice, kindOfType, usualChoice } from '#dashboards/queries/chart-choice.ts';
import { pictureOf } from '#dashboards/queries/chart-picture.ts';
import { most_points, most_series, pointsOf } from '#dashboards/queries/chart-points.ts';
import { chartNotes } from '#dashboards/queries/chart-notes.ts';

const column = (text: string) => {
  const [name = '', type = ''] = text.split(':');
  return { name, type };
};
const columnsOf = (...texts: string[]) => texts.map(column);
const resultOf = (texts: string[], rows: unknown[][]) => ({ columns: columnsOf(...texts), rows });
const line = (x: string, y: string[], split: string | null = null) => ({ kind: 'line' as const, x, y, split });
const setting = { theme: light, locale: 'en' };

describe('what is drawn by default', () => {
  it.each([
    [['day:DATE', 'chats:BIGINT', 'csat:DOUBLE'], line('day', ['chats'])],
    [['chats:BIGINT', 'week:TIMESTAMP WITH TIME ZONE', 'group:VARCHAR'], line('week', ['chats'], 'group')],
    [['country:VARCHAR', 'chats:HUGEINT'], { kind: 'bar', x: 'country', y: ['chats'], split: null }],
    [['hour:INTEGER', 'wait:DECIMAL(18,2)'], line('hour', ['wait'])],
    [['chats:BIGINT'], undefined],
    [['day:DATE', 'name:VARCHAR'], undefined],
    [['day:DATE', 'parts:INTEGER[]'], undefined],
  ])('of %j', (texts, choice) => {
    expect(usualChoice(columnsOf(...texts))).toEqual(choice);
  });

  it('lists, structs and intervals are no numbers', () => {
    expect(['DOUBLE[]', 'STRUCT(a INTEGER)', 'INTERVAL', 'TIME', 'BOOLEAN'].map(kindOfType)).toEqual(
      Array(5).fill('text'),
    );
  });

  it('a choice holds as far as the columns have it', () => {
    const columns = columnsOf('day:DATE', 'chats:BIGINT', 'good:BIGINT', 'group:VARCHAR');
    expect(choiceFor(columns, line('day', ['good', 'gone'], 'gone'))).toEqual(line('day', ['good']));
    expect(choiceFor(columns, line('gone', ['good']))).toEqual(line('day', ['chats'], 'group'));
    expect(choiceFor(columns, line('group', ['good']))).toEqual({ kind: 'bar', x: 'group', y: ['good'], split: null });
    expect([line('day', ['n']), { ...line('day', ['n']), kind: 'pie' }, { x: 'day' }, null].map(isChartChoice)).toEqual(
      [...[true, false, false, false]],
    );
  });
});

describe('where points stand', () => {
  it('days in order, with those that are missing between them', () => {
    const rows = [
      ['2026-05-07', '3'],
      ['2026-05-05', '1'],
      ['2026-05-06', '2'],
      ['2026-05-10', '4'],
    ];
    const points = pointsOf(resultOf(['day:DATE', 'n:BIGINT'], rows), line('day', ['n']));
    expect(points.labels).toEqual(['05', '06', '07', '08', '09', '10'].map((day) => `2026-05-${day}`));
    expect(points.series).toEqual([{ name: 'n', values: [1, 2, 3, null, null, 4] }]);
  });

  it.each<[string, string[], string, string[]]>([
    ['weeks', ['2026-05-04', '2026-05-18'], 'period', ['2026-05-04', '2026-05-18']],
    [
      'weeks, of which one is missing',
      ['2026-05-04', '2026-05-11', '2026-05-25'],
      'period',
      ['2026-05-04', '2026-05-11', '2026-05-18', '2026-05-25'],
    ],
    ['months', ['2026-05-01 00:00:00+00', '2026-07-01 00:00:00+00'], 'period', ['2026-05', '2026-07']],
    [
      'hours',
      ['2026-05-04 22:00:00', '2026-05-04 23:00:00', '2026-05-05 01:00:00'],
      'period',
      ['2026-05-04 22:00', '2026-05-04 23:00', '2026-05-05 00:00', '2026-05-05 01:00'],
    ],
    [
      'moments',
      ['2026-05-04 22:00:05+00', '2026-05-04 22:00:01+00'],
      'moment',
      ['2026-05-04 22:00:01', '2026-05-04 22:00:05'],
    ],
  ])('%s', (_, values, scale, labels) => {
    const points = pointsOf(
      resultOf(
        ['x:TIMESTAMP', 'n:INTEGER'],
        values.map((value) => [value, 1]),
      ),
      line('x', ['n']),
    );
    expect([points.scale, points.labels]).toEqual([scale, labels]);
  });

  it('numbers as numbers, and texts as the result has them', () => {
    const rows = [
      [10, 1],
      [9, 2],
      [-1, 3],
    ];
    expect(pointsOf(resultOf(['x:INTEGER', 'n:INTEGER'], rows), line('x', ['n'])).labels).toEqual(['-1', '9', '10']);
    expect(
      pointsOf(
        resultOf(
          ['x:VARCHAR', 'n:INTEGER'],
          [
            ['b', 1],
            ['a', 2],
            [null, 3],
          ],
        ),
        line('x', ['n']),
      ).labels,
    ).toEqual([...['b', 'a', 'null']]);
  });

  it('a line for each value of the split and each y, and what has no place is counted', () => {
    const rows = [
      ['2026-05-05', 'a', 1, 5],
      ['2026-05-05', 'b', 2, 6],
      ['2026-05-06', 'a', 3, 7],
      ['2026-05-06', 'a', 9, 9],
      [null, 'a', 9, 9],
    ];
    const result = resultOf(['day:DATE', 'group:VARCHAR', 'n:INTEGER', 'm:DOUBLE'], rows);
    const points = pointsOf(result, line('day', ['n', 'm'], 'group'));
    expect(points.series).toEqual([
      { name: 'a, n', values: [1, 3] },
      { name: 'a, m', values: [5, 7] },
      { name: 'b, n', values: [2, null] },
      { name: 'b, m', values: [6, null] },
    ]);
    expect(chartNotes(points, 0, String)).toEqual([
      'One row is not drawn, because an earlier row has the same place: choose what to split by, or group the query.',
      'One row is not drawn, because x is null.',
    ]);
  });
});

describe('no chart is without bounds', () => {
  it('of many values of x and many series some are drawn, which is said', () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => [n, `s${n % 20}`, n % 20 === 19 ? 1e6 : n]);
    const points = pointsOf(resultOf(['x:INTEGER', 'g:VARCHAR', 'n:INTEGER'], rows), line('x', ['n'], 'g'));
    expect([points.labels.length, points.series.length]).toEqual([most_points, most_series]);
    expect(points.series.at(-1)?.name).toBe('s19');
    expect(chartNotes(points, 10_000, String)).toEqual([
      'The first 2000 of 10000 values of x are drawn.',
      'The 7 largest of 20 series are drawn.',
      'Only the first 10000 rows of the result are looked at.',
    ]);
  });

  it('days far from each other are not filled up', () => {
    const rows = [
      ['0001-01-02', 1],
      ['2026-05-05', 2],
    ];
    expect(pointsOf(resultOf(['x:DATE', 'n:INTEGER'], rows), line('x', ['n'])).labels.length).toBe(2);
  });

  it('of many texts the first are drawn, in the order of the result', () => {
    const rows = Array.from({ length: 300 }, (_, n) => [`text ${n}`, n]);
    const points = pointsOf(resultOf(['x:VARCHAR', 'n:INTEGER'], rows), line('x', ['n']));
    const { charts, summary } = pictureOf(points, 'bar', setting);
    expect((charts[0]!.option['yAxis'] as { data: string[] }).data.slice(0, 2)).toEqual(['text 0', 'text 1']);
    expect(charts[0]?.tips.length).toBe(20);
    expect(summary).toContain('20 of 300');
  });
});

describe('the picture', () => {
  const drawn = (x: string, rows: unknown[][], kind: 'line' | 'bar') =>
    pictureOf(pointsOf(resultOf([x, 'n:DOUBLE'], rows), line('x', ['n'])), kind, setting);

  it('names periods as dashboards do, and numbers and moments as they are', () => {
    const days = drawn(
      'x:DATE',
      [
        ['2026-05-05', 4],
        ['2026-05-06', 9],
      ],
      'line',
    );
    expect([days.charts[0]?.tips[0]?.title, days.summary]).toEqual([
      'Tue, May 5',
      'N: highest 9 (Wed, May 6), lowest 4 (Tue, May 5).',
    ]);
    const numbers = drawn(
      'x:INTEGER',
      [
        [11, 4],
        [9, 9.5],
      ],
      'bar',
    );
    expect(numbers.charts[0]?.tips.map(({ title, lines }) => [title, lines[0]?.value])).toEqual([
      ['9', '9.5'],
      ['11', '4'],
    ]);
    expect((numbers.charts[0]!.option['xAxis'] as { data: string[] }).data).toEqual(['9', '11']);
    expect(numbers.summary).not.toContain('00000');
  });

  it.each(['x:DATE', 'x:INTEGER', 'x:VARCHAR'])('shows what is below zero: %s', (x) => {
    const rows =
      x === 'x:INTEGER'
        ? [
            [1, -30],
            [2, 10],
          ]
        : [
            ['2026-05-05', -30],
            ['2026-05-06', 10],
          ];
    const option = drawn(x, rows, 'bar').charts[0]?.option;
    const axis = option?.[x === 'x:VARCHAR' ? 'xAxis' : 'yAxis'] as { min: number; max: number };
    expect(axis.min).toBeLessThanOrEqual(-30);
    expect(axis.max).toBeGreaterThanOrEqual(10);
  });
});
