// Lines: gaps, dashes and bands.
import { expect, test } from 'vitest';
import { comparisonName } from '#dashboards/comparison.ts';
import { bars } from '#dashboards/pictures/bars.ts';
import { lines } from '#dashboards/pictures/lines.ts';
import { split } from '#dashboards/pictures/split.ts';
import { withoutFuture, type AnswerRow } from '#dashboards/answer.ts';
import type { Panel } from '#dashboards/panel.ts';
import { placeOf } from '#dashboards/periods.ts';
import { answer, days, numbers, panel, series, setting } from './answers.ts';

test('an empty period is a gap, not a zero', () => {
  const picture = lines(panel({ unit: 'seconds' }), [answer(days('n', [30, null, 20]))], setting);
  const [settled] = series(picture.charts[0]?.option);
  expect(numbers(settled)).toEqual([30, null, 20]);
  expect(picture.table.rows[1]?.[1]).toMatchObject({ text: 'no data', kind: 'no_data' });
  expect(picture.summary).toContain('lowest 20 s');
});

test('a share of a handful is neither the highest nor the lowest, unless there is nothing else', () => {
  const csat = panel({ unit: 'share', basis: { measure: 'rated', label: 'ratings' } });
  const rows = (counts: number[]): AnswerRow[] =>
    days('n', [1, 0.8, 0.7, 0]).map((row, day) => ({ ...row, rated: counts[day] ?? 0 }));
  const told = (counts: number[]) => lines(csat, [answer(rows(counts))], setting).summary;
  expect(told([2, 40, 50, 9])).toMatch(/highest 80\.0% .*lowest 70\.0%/);
  expect(told([20, 40, 50, 10])).toMatch(/highest 100\.0% .*lowest 0\.0%/);
  expect(told([2, 4, 5, 9])).toMatch(/highest 100\.0% .*lowest 0\.0%/);
});

test('the line of what is late ends with its final periods, and so does what it is compared with', () => {
  const states = ['complete', 'complete', 'settling', 'open'] as const;
  const shown = (isLate: Partial<Panel>, of: readonly AnswerRow['state'][] = states) => {
    const before = { from: '2026-10-25', to: '2026-10-28', rows: days('n', [7, 7, 7, 7], [], '2026-10-25') };
    const own = answer(days('n', [8, 9, 2, 1], [...of]), { compare: before });
    const { charts, key, summary, table } = lines(panel({ compare: true, ...isLate }), [own], setting);
    const drawn = series(charts[0]?.option).map(numbers);
    return { drawn, key: key.map(({ mark }) => mark), summary, table };
  };
  const late = shown({ isLate: true });
  expect(late.drawn).toEqual([
    [7, 7, null, null],
    [8, 9, null, null],
  ]);
  expect(late.key).not.toContain('dash');
  expect(late.summary).toMatch(/highest 9 .*lowest 8 .*2 days may still change\. What may change is not drawn\./);
  expect(late.table.rows[2]?.[1]).toMatchObject({ text: '2' });
  expect(shown({}).drawn).toEqual([
    [7, 7, 7, 7],
    [8, 9, null, null],
    [null, 9, 2, 1],
  ]);
  // Of young periods alone there is a line all the same, and nothing to compare it with.
  const young = shown({ isLate: true }, ['settling', 'settling', 'settling', 'open']);
  expect(young.drawn).toContainEqual([8, 9, 2, 1]);
  expect(young.summary).toContain('4 days may still change.');
  expect(young.drawn).not.toContainEqual([7, 7, 7, 7]);
});

test('the line of what is late is drawn to its end where no final period has a number', () => {
  const rows = days('n', [null, null, 2, 1], ['complete', 'complete', 'settling', 'open']);
  const { charts, summary } = lines(panel({ isLate: true }), [answer(rows)], setting);
  expect(series(charts[0]?.option).map(numbers)).toContainEqual([null, null, 2, 1]);
  expect(summary).toContain('2 days may still change.');
  expect(summary).not.toContain('not drawn');
});

test('a zero is drawn and told as zero', () => {
  const picture = lines(panel(), [answer(days('n', [3, 0]))], setting);
  expect(numbers(series(picture.charts[0]?.option)[0])).toEqual([3, 0]);
  expect(picture.table.rows[1]?.[1]).toMatchObject({ text: '0', kind: 'number' });
});

test('settling and open periods are dashed from the last settled point on, and said in the tip', () => {
  const rows = days('n', [1, 2, 3, 4], ['complete', 'complete', 'settling', 'open']);
  const picture = lines(panel(), [answer(rows)], setting);
  const [settled, unsettled] = series(picture.charts[0]?.option);
  expect(numbers(settled)).toEqual([1, 2, null, null]);
  expect(numbers(unsettled)).toEqual([null, 2, 3, 4]);
  expect(Array.isArray(unsettled?.lineStyle?.type)).toBe(true);
  expect(picture.charts[0]?.tips[2]?.note).toContain('settling');
  expect(picture.charts[0]?.tips[3]?.note).toContain('open');
  expect(picture.summary).toContain('2 days may still change.');
});

test('a period that was not pulled, one without data and one not given are told apart', () => {
  const rows = days('n', [1, null, null], ['complete', 'not_pulled', 'complete']);
  const kinds = (more: object) => lines(panel(), [answer(rows, more)], setting).table.rows.map((row) => row[1]?.kind);
  expect(kinds({})).toEqual(['number', 'not_pulled', 'no_data']);
  expect(kinds({ not_given: { n: 'not by tag' } })).toEqual(['number', 'not_pulled', 'not_given']);
});

test('a band is a fill between its two ends, never a line of its own', () => {
  const rows = [{ period: '2026-11-01', p50: 10, p90: 40, state: 'complete' as const }];
  const banded = panel({
    measures: [{ measure: 'p50', label: 'half' }],
    band: { from: 'p50', to: 'p90', label: 'p90' },
  });
  const picture = lines(banded, [answer(rows)], setting);
  const drawn = series(picture.charts[0]?.option);
  expect(drawn.slice(0, 2).map(numbers)).toEqual([[10], [30]]);
  expect(picture.table.rows[0]?.map((cell) => cell.text).slice(1)).toEqual(['10', '40']);
});

test('measures of two metrics are lined up by period', () => {
  const two = panel({
    measures: [
      { measure: 'n', label: 'new' },
      { measure: 's', label: 'solved', metric: 'other' },
    ],
  });
  const picture = lines(two, [answer(days('n', [1, 2, 3])), answer(days('s', [7, 8]), { metric: 'other' })], setting);
  expect(picture.table.rows.map((row) => row.slice(1).map((cell) => cell.text))).toEqual([
    ['1', '7'],
    ['2', '8'],
    ['3', 'no data'],
  ]);
});

test('what a line is compared with lies behind it, and is told where there is a number', () => {
  const compare = { from: '2025-11-02', to: '2025-11-04', rows: days('n', [1, 2], [], '2025-11-02') };
  const picture = lines(panel({ compare: true }), [answer(days('n', [5, 6, 7]), { compare })], setting);
  const drawn = series(picture.charts[0]?.option);
  expect(numbers(drawn[0])).toEqual([1, 2]);
  expect(picture.charts[0]?.tips[1]?.lines.at(-1)).toMatchObject({ name: 'Mon 3 Nov 2025', value: '2' });
  expect(picture.charts[0]?.tips[2]?.lines).toHaveLength(1);
  expect(picture.key).toContainEqual({ token: 'before', label: 'a year before', mark: 'line' });
});

test('a note is a flag at its day, told in the tip there and nowhere else', () => {
  const notes = [
    { day: '2026-11-02', text: 'New bot live' },
    { day: '2026-12-24', text: 'elsewhere' },
  ];
  const picture = lines(panel(), [answer(days('n', [5, 6, 7]))], { ...setting, notes });
  const custom = series(picture.charts[0]?.option).filter((it) => it.type === 'custom');
  expect(custom.map((it) => it.data)).toEqual([[[1]]]);
  expect(picture.charts[0]?.tips.map((tip) => tip.lines.map((line) => line.value).includes('New bot live'))).toEqual([
    false,
    true,
    false,
  ]);
});

test('a day lies in its hour, day, week and month', () => {
  expect(placeOf('2026-11-02', ['2026-11-01 23:00', '2026-11-02 00:00', '2026-11-02 01:00'])).toBe(1);
  expect(placeOf('2026-11-08', ['2026-W44', '2026-W45', '2026-W46'])).toBe(1);
  expect(placeOf('2026-11-30', ['2026-10', '2026-11'])).toBe(1);
  for (const labels of [['2026-11-02'], ['2026-W45'], ['2026-11'], []]) {
    expect(placeOf('2026-12-01', labels)).toBe(-1);
    expect(placeOf('2026-01-01', labels)).toBe(-1);
  }
});

test('a period that has not ended is not called the lowest', () => {
  const rows = days('n', [5, 3, 0], ['complete', 'settling', 'open']);
  expect(lines(panel(), [answer(rows)], setting).summary).toContain('lowest 3');
  expect(lines(panel(), [answer(days('n', [2], ['open']))], setting).summary).toContain('2');
  const low = days('n', [3, 3, 1], ['complete', 'complete', 'open']);
  expect(lines(panel(), [answer(low)], setting).summary).toContain('3 throughout');
  const high = days('n', [0, 0, 5], ['complete', 'complete', 'open']);
  expect(lines(panel(), [answer(high)], setting).summary).toMatch(/highest 5 .*lowest 0/);
});

test('a band of others has a colour of its own, one of the line has the colour of the line', () => {
  const rows = [{ period: '2026-11-01', in_time: 0.5, low: 0.2, high: 0.3, state: 'complete' as const }];
  const tokens = (isApart: boolean) =>
    lines(
      panel({
        measures: [{ measure: 'in_time', label: 'of those who entered' }],
        band: { from: 'low', to: 'high', label: 'of all', ...(isApart ? { isApart } : {}) },
      }),
      [answer(rows)],
      setting,
    ).charts[0]?.tips[0]?.lines.map(({ token }) => token);
  expect([tokens(true), tokens(false)]).toEqual([
    ['series-1', 'series-2', 'series-2'],
    ['series-1', 'series-1', 'series-1'],
  ]);
});

test('hours that have not begun have no number, whatever the warehouse fills in', () => {
  const asked = answer(
    ['08', '09', '10'].map((hour) => ({ period: `2026-11-03 ${hour}:00`, group: 4, n: 0, state: 'open' as const })),
    { split: ['group'] },
  );
  const { rows } = withoutFuture(asked, '2026-11-03 09:00');
  expect(rows.map(({ n, group }) => [n, group])).toEqual([
    [0, 4],
    [0, 4],
    [null, 4],
  ]);
  const days_ = answer(days('n', [1, 2]));
  expect(withoutFuture(days_, '2026-11-30 09:00')).toBe(days_);
});

test('a scrap of the time before is not drawn as a comparison', () => {
  const before = (numbers: (number | null)[]) => ({ from: '2026-10-28', to: '2026-10-31', rows: days('n', numbers) });
  const drawn = (numbers: (number | null)[]) =>
    lines(panel({ compare: true }), [answer(days('n', [1, 2, 3, 4]), { compare: before(numbers) })], setting).key.some(
      ({ token }) => token === 'before',
    );
  expect([drawn([null, null, null, 3]), drawn([1, 2, null, 3])]).toEqual([false, true]);
});

test('of more hours than there are pixels the lowest and highest of each day are drawn at their place', () => {
  const rows = Array.from({ length: 2400 }, (_, hour) => ({
    period: `${new Date(Date.UTC(2026, 0, 1, hour)).toISOString().slice(0, 13).replace('T', ' ')}:00`,
    n: hour >= 48 && hour < 72 ? null : hour % 24 === 9 ? 50 : hour % 24 === 4 ? 0 : 3,
    state: 'complete' as const,
  }));
  const picture = lines(panel(), [answer(rows)], setting);
  const [stroke] = series(picture.charts[0]?.option);
  // The third day has no number: it stays a gap.
  expect(stroke?.data.slice(0, 6)).toEqual([
    [4, 0],
    [9, 50],
    [28, 0],
    [33, 50],
    [48, null],
    [76, 0],
  ]);
  expect([picture.table.rows.length, picture.charts[0]?.tips.length]).toEqual([2400, 2400]);
  expect(picture.summary).toContain('of each day the highest and the lowest');
});

test('an hour of a weekday that the range has not had yet is silent, not zero', () => {
  const hours = ['08', '09', '10'].flatMap((hour_of_day) =>
    ['mon', 'tue'].map((weekday): AnswerRow => ({ weekday, hour_of_day, chats: 0, state: 'open' })),
  );
  // A Tuesday, shortly after nine.
  const asked = answer(hours, {
    from: '2026-11-03',
    to: '2026-11-03',
    grain: 'total',
    split: ['weekday', 'hour_of_day'],
  });
  const said = (rows: AnswerRow[]) =>
    rows.filter(({ chats }) => chats === 0).map((row) => `${row['weekday']} ${row['hour_of_day']}`);
  expect(said(withoutFuture(asked, '2026-11-03 09:00').rows)).toEqual(['tue 08', 'tue 09']);
  const twoDays = { ...asked, from: '2026-11-02' };
  expect(said(withoutFuture(twoDays, '2026-11-03 09:00').rows)).toEqual([
    'mon 08',
    'tue 08',
    'mon 09',
    'tue 09',
    'mon 10',
  ]);
  const past = { ...asked, from: '2026-10-01', to: '2026-10-31' };
  expect(withoutFuture(past, '2026-11-03 09:00')).toBe(past);
});

test('numbers of a tip lead on, the ends of an interval around one do not', () => {
  const rows = days('n', [3]).map((row) => ({ ...row, low: 2, high: 4 }));
  const cells = (band: NonNullable<Panel['band']>) =>
    lines(panel({ band }), [answer(rows)], setting).charts[0]?.tips[0]?.lines.map((line) => line.cell?.measure);
  expect(cells({ from: 'low', to: 'high', label: 'interval' })).toEqual(['n', undefined, undefined]);
  expect(cells({ from: 'n', to: 'high', label: '90th percentile' })).toEqual(['n', 'high']);
});

test('the key names the one week before where there is no other', () => {
  const nameOf = (to: string, from: string) =>
    comparisonName(answer([], { from: '2026-11-01', to, compare: { from, to: '2026-10-31', rows: [] } }));
  expect(nameOf('2026-11-07', '2026-10-25')).toBe('the week before');
  expect(nameOf('2026-11-01', '2026-10-25')).toBe('the week before');
  expect(nameOf('2026-11-14', '2026-10-18')).toBe('the weeks before');
});

test('a period of a handful of cases is not the highest, and it is said that it was left out', () => {
  const basis = { measure: 'k', label: 'waits' };
  const summaryOf = (n: readonly number[], k: readonly number[]) =>
    lines(
      panel({ unit: 'seconds', basis }),
      [
        answer(
          n.map((value, at) => ({ period: `2026-11-0${at + 1}`, n: value, k: k[at] ?? 0, state: 'complete' as const })),
        ),
      ],
      setting,
    ).summary;
  const said = 'Periods with fewer than 10 waits are not named.';
  expect(summaryOf([60, 30, 500], [20, 20, 2])).toMatch(/highest 1 m .*lowest 30 s/);
  expect(summaryOf([60, 30, 500], [20, 20, 2])).toContain(said);
  expect(summaryOf([60, 30, 45], [20, 20, 2])).not.toContain(said);
  expect(summaryOf([60, 30, 500], [20, 20, 20])).not.toContain(said);
});

test('hours that have not begun are not among those that may still change', () => {
  // Nothing was measured in the second.
  const hours = [4, null, 5, 5].map((n, hour) => ({
    ...{ period: `2026-11-05 0${hour}:00`, n, state: hour < 2 ? ('settling' as const) : ('open' as const) },
  }));
  const own = withoutFuture(answer(hours, { from: '2026-11-05', grain: 'hour' }), '2026-11-05 02:00');
  expect(lines(panel(), [own], setting).summary).toContain('3 hours may still change.');
  expect(bars(panel({ picture: 'bars' }), [own], setting).summary).toContain('3 hours may still change.');
  const byGroup = hours.flatMap((row) => [1, 2].map((group) => ({ ...row, group })));
  const divided = answer(byGroup, { from: '2026-11-05', grain: 'hour', split: ['group'] });
  const summary = split(
    panel({ picture: 'split', split: ['group'] }),
    [withoutFuture(divided, '2026-11-05 02:00')],
    setting,
  ).summary;
  expect(summary).toContain('3 hours may still change.');
});
