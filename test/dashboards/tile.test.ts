// Tiles: change in words, and silence that is not zero.
import { expect, test } from 'vitest';
import { tile } from '#dashboards/pictures/tile.ts';
import { answer, days, panel, setting } from './answers.ts';

const total = (now: number | null, before: number | null) =>
  answer([{ n: now, state: 'complete' }], {
    compare: { from: '2026-09-27', to: '2026-10-01', rows: [{ n: before, state: 'complete' }] },
  });
const changeOf = (more: Parameters<typeof panel>[0], now: number, before: number | null) =>
  tile(panel({ picture: 'tile', ...more }), [total(now, before)], setting).figures[0]?.change;

test('a count changes by per cent', () => {
  expect(changeOf({}, 112, 100)).toMatchObject({
    text: '12% more than 27\u00a0Sept\u00a0– 1\u00a0Oct',
    sign: 1,
    verdict: 'neither',
  });
});

test('a share changes by points, never by per cent of per cent', () => {
  expect(changeOf({ unit: 'share', better: 'more' }, 0.8, 0.9)).toMatchObject({
    text: '10 points less than 27\u00a0Sept\u00a0– 1\u00a0Oct',
    verdict: 'worse',
  });
});

test('a duration becomes longer or shorter', () => {
  expect(changeOf({ unit: 'seconds', better: 'less' }, 30, 90)).toMatchObject({
    text: '1 m shorter than 27\u00a0Sept\u00a0– 1\u00a0Oct',
    verdict: 'better',
  });
});

test('a comparison with the year before is called that', () => {
  const than = (range: object, before: { from: string; to: string }) => {
    const compare = { ...before, rows: [{ n: 100, state: 'complete' as const }] };
    const now = answer([{ n: 112, state: 'complete' }], { ...range, compare });
    return tile(panel({ picture: 'tile' }), [now], setting).figures[0]?.change?.text.replace('12% more than ', '');
  };
  expect(than({}, { from: '2025-11-02', to: '2025-11-06' })).toBe('the same weekdays a year before');
  const may = { from: '2026-05-01', to: '2026-05-31', grain: 'month' };
  expect(than(may, { from: '2025-05-01', to: '2025-05-31' })).toBe('the same months a year before');
});

test('a comparison with what is right before says so, or the days', () => {
  const than = (from: string, to: string, first: string, last: string) => {
    const compare = { from: first, to: last, rows: [{ n: 100, state: 'complete' as const }] };
    const now = answer([{ n: 112, state: 'complete' }], { from, to, compare });
    return tile(panel({ picture: 'tile' }), [now], setting).figures[0]?.change?.text.replace('12% more than ', '');
  };
  expect(than('2026-11-03', '2026-11-03', '2026-10-27', '2026-10-27')).toBe('the same weekday a week before');
  expect(than('2026-11-02', '2026-11-08', '2026-10-26', '2026-11-01')).toBe('the week before');
  expect(than('2026-10-27', '2026-11-23', '2026-09-29', '2026-10-26')).toBe('the 4 weeks before');
  expect(than('2026-10-25', '2026-11-23', '2026-09-20', '2026-10-19')).toBe('20\u00a0Sept\u00a0– 19\u00a0Oct');
  // A day that is not over, with one to come: one day is compared.
  expect(than('2026-11-30', '2026-12-01', '2026-11-23', '2026-11-23')).toBe('23\u00a0Nov');
  expect(than('2025-11-27', '2026-11-26', '2024-11-21', '2025-11-20')).toBe(
    '21\u00a0Nov\u00a02024\u00a0– 20\u00a0Nov\u00a02025',
  );
});

test('without a comparison a tile says no change', () => {
  const { figures } = tile(panel({ picture: 'tile' }), [answer([{ n: 112, state: 'complete' }])], setting);
  expect(figures[0]?.change).toBeUndefined();
});

test('nothing before is said, not divided by', () => {
  for (const before of [0, null]) expect(changeOf({}, 5, before)?.text).toBe('nothing before to compare with');
});

test('none after none is no change', () => {
  expect(changeOf({}, 0, 0)).toMatchObject({ text: expect.stringMatching(/^the same as /), verdict: 'neither' });
  expect(changeOf({}, 0, null)?.text).toBe('nothing before to compare with');
});

test('days to compare with that are not there are said, not counted as nothing', () => {
  const compare = { from: '2026-09-27', to: '2026-10-01', rows: [{ n: null, state: 'not_pulled' as const }] };
  const { figures } = tile(panel({ picture: 'tile' }), [answer([{ n: 7, state: 'complete' }], { compare })], setting);
  const change = { text: 'too few days before to compare with', sign: 0, verdict: 'neither' };
  expect(figures).toMatchObject([{ text: '7', change }]);
});

test('no data is words, zero is a number', () => {
  expect(tile(panel(), [total(null, 3)], setting).figures[0]).toMatchObject({ text: 'no data', kind: 'no_data' });
  expect(tile(panel(), [total(0, 0)], setting).figures[0]).toMatchObject({ text: '0', kind: 'number' });
  expect(tile(panel(), [answer([])], setting).figures[0]).toMatchObject({ kind: 'no_data' });
});

test('several currencies without anything before say so once', () => {
  const rows = ['EUR', 'USD'].map((currency) => ({ currency, n: 3, sales_count: 1, state: 'complete' as const }));
  const compare = { from: '2026-09-27', to: '2026-10-01', rows: [] };
  const sales = panel({ picture: 'tile', unit: 'money', split: ['currency'] });
  const { figures, note } = tile(sales, [answer(rows, { compare })], setting);
  expect(figures.map(({ change }) => change)).toEqual([undefined, undefined]);
  expect(note).toBe('nothing before to compare with');
});

test('without a currency a tile says why there is none', () => {
  const sales = panel({ picture: 'tile', unit: 'money', split: ['currency'], none: 'no sales' });
  const said = (more: object) => tile(sales, [answer([], more)], setting).figures;
  expect(said({ state: 'not_pulled' })).toMatchObject([{ text: 'not pulled', kind: 'not_pulled' }]);
  expect(said({ state: 'complete' })).toMatchObject([{ text: 'no sales', kind: 'no_data' }]);
  const not_given = { n: 'not pulled for group 99' };
  expect(said({ state: 'not_given', not_given })).toMatchObject([{ text: 'not given', reason: not_given.n }]);
});

test('a spark ends with the last period that is over, and of what comes late with the last that is final', () => {
  const states = ['complete', 'not_pulled', 'complete', 'settling', 'open', 'open'] as const;
  const trend = answer(days('n', [1, null, 3, 4, 5, null], [...states]));
  expect(tile(panel(), [total(3, 3), trend], setting).spark).toEqual([1, null, 3, 4]);
  expect(tile(panel({ isLate: true }), [total(3, 3), trend], setting).spark).toEqual([1, null, 3]);
  expect(tile(panel(), [total(3, 3), answer(days('n', [5], ['open']))], setting).spark).toEqual([]);
});

test('what comes late and is in periods alone that are not final has no spark: it would be flat below a number', () => {
  const spark = (numbers: (number | null)[], more: object = { isLate: true }) => {
    const trend = answer(days('n', numbers, ['complete', 'complete', 'settling']));
    return tile(panel(more), [total(3, 3), trend], setting).spark;
  };
  expect(spark([0, 0, 7])).toEqual([]);
  expect(spark([null, null, 7])).toEqual([]);
  expect(spark([0, 0, 0])).toEqual([0, 0]);
  expect(spark([0, 1, 7])).toEqual([0, 1]);
  expect(spark([0, 0, 7], {})).toEqual([0, 0, 7]);
});

test('a spark has no weeks of which the range has a part', () => {
  const weeks = [2, 14, 15, 3].map((n, at) => ({ period: `2026-W${40 + at}`, n, state: 'complete' as const }));
  const trend = answer(weeks, { from: '2026-10-01', to: '2026-10-20', grain: 'week' });
  expect(tile(panel(), [total(3, 3), trend], setting).spark).toEqual([14, 15]);
  const alone = answer(weeks.slice(0, 1), { from: '2026-10-01', to: '2026-10-02', grain: 'week' });
  expect(tile(panel(), [total(3, 3), alone], setting).spark).toEqual([]);
});

test('a gap in the trend stays a gap in the spark', () => {
  expect(tile(panel(), [total(3, 3), answer(days('n', [1, null, 2]))], setting).spark).toEqual([1, null, 2]);
});

test('a number that is not final says so', () => {
  expect(tile(panel(), [answer([{ n: 3, state: 'open' }])], setting).note).toBe('so far');
});

test('a range of which only some days are pulled says which are missing, and shows no smaller number', () => {
  const whole = answer([{ n: null, state: 'not_pulled' }]);
  const of = (...states: ('complete' | 'not_pulled')[]) => {
    const { figures, basis, spark } = tile(
      panel({ picture: 'tile', basis: { measure: 'n', label: 'chats' } }),
      [
        whole,
        answer(
          days(
            'n',
            states.map((state) => (state === 'complete' ? 4 : null)),
            states,
          ),
        ),
      ],
      setting,
    );
    return [figures[0]?.text, figures[0]?.kind, basis, spark.length];
  };
  expect(of('not_pulled', 'not_pulled', 'complete', 'complete')).toEqual([
    'partly pulled',
    'not_pulled',
    '2 of 4 days are missing: 1\u00a0Nov – 2\u00a0Nov',
    4,
  ]);
  expect(of('complete', 'not_pulled', 'complete')).toMatchObject([
    'partly pulled',
    'not_pulled',
    '1 of 3 days is missing: 2\u00a0Nov',
    3,
  ]);
  expect(of('not_pulled', 'complete', 'not_pulled')[2]).toBe('2 of 3 days are missing');
  expect(of('not_pulled', 'not_pulled').slice(0, 3)).toEqual(['not pulled', 'not_pulled', undefined]);
});
