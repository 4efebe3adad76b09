// Panels that their reader splits: what is offered, what is drawn, and what the table has.
import { expect, test } from 'vitest';
import type { AnswerRow } from '#dashboards/answer.ts';
import { receiptQuery } from '#dashboards/cell.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Panel } from '#dashboards/panel.ts';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { split } from '#dashboards/pictures/split.ts';
import { questions } from '#dashboards/questions.ts';
import { splitPanel } from '#dashboards/split-panel.ts';
import { isSplit, isSplittable, splitOf, splitsFor, variableSplitsFor } from '#dashboards/splits.ts';
import { answer, numbers, panel, series, setting } from './answers.ts';

const metric = { splits: ['agent', 'group', 'country', 'weekday'], adds_up_by: ['country', 'weekday'] };
const choice = { group: [], agent: [], tag: [], variable: [], split: [], isTogether: false };
const days = ['2026-11-01', '2026-11-02', '2026-11-03'];
const asking = { from: '2026-11-01', to: '2026-11-03', timezone: 'UTC', grain: 'day' } as const;

/** Chats of each country by day, and over the whole range. */
function byCountry(counts: Record<string, number[]>, more: Partial<AnswerRow> = {}) {
  const rows = Object.entries(counts).flatMap(([country, values]) =>
    values.map((n, at): AnswerRow => ({ period: days[at], country, n, state: 'complete', ...more })),
  );
  const whole = Object.entries(counts).map(([country, values]): AnswerRow => ({
    country,
    n: values.reduce((sum, n) => sum + n, 0),
    state: 'complete',
    ...more,
  }));
  return [answer(rows, { split: ['country'] }), answer(whole, { split: ['country'], grain: 'total' })];
}

const countries = {
  ...{ Peru: [1, 0, 2], Chile: [9, 9, 9], Spain: [8, 8, 8], Italy: [7, 7, 7] },
  ...{ India: [6, 6, 6], Egypt: [5, 5, 5], Malta: [0, 3, 1] },
};
const counted = splitPanel(panel(), 'country', metric);

test('agents are offered to whom they may be shown, and nothing that the metric does not have', () => {
  expect(splitsFor(panel(), metric, true)).toEqual(['group', 'agent', 'country', 'weekday']);
  expect(splitsFor(panel(), metric, false)).toEqual(['group', 'country', 'weekday']);
  expect(splitsFor(panel(), undefined, true)).toEqual([]);
  const week = panel({ picture: 'heatmap', grain: 'total', split: ['weekday', 'hour_of_day'] });
  expect(splitsFor(week, metric, true)).toEqual(['group', 'agent', 'country']);
});

test('the address splits one panel and no other; several chosen values are compared unless they are wanted together', () => {
  const of = (more: object) => splitOf(panel({ id: 'volume' }), { ...choice, ...more }, metric);
  expect(of({ split: ['other.group', 'volume.country'] })).toBe('country');
  expect(of({ split: ['other.group'] })).toBeUndefined();
  expect(of({ group: ['1'] })).toBeUndefined();
  expect(of({ group: ['1', '2'] })).toBe('group');
  expect(of({ group: ['1', '2'], isTogether: true })).toBeUndefined();
  expect(of({ group: ['1', '2'], split: ['volume.none'] })).toBeUndefined();
  expect(of({ tag: ['x', 'y'] })).toBeUndefined();
  expect(of({ tag: ['x', 'y'], agent: ['a', 'b'] })).toBe('agent');
});

test('what is divided already keeps its own parts', () => {
  const all = dashboards.flatMap(({ panels }) => panels);
  expect(all.filter(isSplittable).length).toBeGreaterThan(15);
  const isHeatmap = ({ picture }: Panel) => picture === 'heatmap';
  expect(
    all.filter((it) => isSplittable(it) && !isHeatmap(it) && (it.split !== undefined || it.picture === 'tile')),
  ).toEqual([]);
  const ranked = all.find(({ id }) => id === 'countries');
  expect(splitOf(ranked as Panel, { ...choice, split: ['countries.group'] }, metric)).toBeUndefined();
});

test('the five largest are lines, and the others one that is exactly their sum', () => {
  const drawn = series(split(counted, byCountry(countries), setting).charts[0]?.option).filter(
    ({ data }) => numbers({ type: '', data }).filter((it) => it !== null).length === days.length,
  );
  expect(drawn.map(numbers)).toEqual([
    [9, 9, 9],
    [8, 8, 8],
    [7, 7, 7],
    [6, 6, 6],
    [5, 5, 5],
    [1, 3, 3],
  ]);
  expect(split(counted, byCountry(countries), setting).summary).toContain('Egypt 15, Other (2) 7.');
});

test('one value more than the largest few is itself and no other', () => {
  const { Malta: _, ...six } = countries;
  const picture = split(counted, byCountry(six), setting);
  expect(picture.key.map(({ label }) => label)).toEqual(['Chile', 'Spain', 'Italy', 'India', 'Egypt', 'Peru']);
});

test('where parts do not add up nothing is called other, and the table has what is not drawn', () => {
  const grouped = { ...counted, addsUp: false };
  const picture = split(grouped, byCountry(countries), setting);
  expect(picture.key.map(({ label }) => label)).toEqual(['Chile', 'Spain', 'Italy', 'India', 'Egypt']);
  expect(picture.summary).toContain('2 more not drawn; the table has all of them.');
  const named = new Set(picture.table.rows.map(([name]) => name?.text));
  expect([...named].sort()).toEqual(Object.keys(countries).sort());
});

test('a share or a time has no other, also where counts would add up', () => {
  expect(splitPanel(panel({ unit: 'share' }), 'country', metric).addsUp).toBe(false);
  expect(splitPanel(panel(), 'group', metric).addsUp).toBe(false);
  expect(splitPanel(panel(), 'country', metric).addsUp).toBe(true);
});

test('others of which one is not told are not told either', () => {
  const [overTime, whole] = byCountry(countries);
  const rows = overTime?.rows.map((row) =>
    row['country'] === 'Malta' && row.period === days[1]
      ? { ...row, n: null, state: 'too_few' as const, fewer_than: 10 }
      : row,
  );
  const picture = split(counted, [answer(rows ?? []), whole ?? answer([])], setting);
  const lines = (at: number) => picture.charts[0]?.tips[at]?.lines.map(({ name, value }) => `${name}: ${value}`);
  expect(lines(0)?.at(-1)).toBe('Other (2): 1');
  expect(lines(1)?.at(-1)).toBe('Other (2): fewer than 10 chats');
  expect(picture.table.rows.filter((row) => row.some(({ kind }) => kind === 'too_few'))).toHaveLength(1);
});

test('few values are columns of the table, with the count behind each', () => {
  const times = panel({
    unit: 'seconds',
    measures: [{ measure: 'p50', label: 'half within (p50)' }],
    band: { from: 'p50', to: 'p90', label: 'nine of ten' },
    basis: { measure: 'n', label: 'chats' },
    sentence: 'Time to an answer: half are under the line, nine of ten under the band.',
  });
  const own = splitPanel(times, 'country', metric);
  const picture = split(own, byCountry({ Peru: [1, 2, 3], Chile: [40, 40, 40] }, { p50: 72 }), setting);
  expect(picture.table.columns.map(({ title }) => title)).toEqual([
    ...['Period', 'Chile', 'Chile, chats', 'Peru', 'Peru, chats'],
  ]);
  expect(picture.table.rows[0]?.map(({ text }) => text)).toEqual(['Whole range', '1 m 12 s', '120', '1 m 12 s', '6']);
  expect(picture.charts[0]?.tips[0]?.lines.map(({ value }) => value)).toEqual([
    '1 m 12 s (40 chats)',
    '1 m 12 s (1 chat)',
  ]);
  expect(picture.summary).toBe(
    'Half within (p50) over the whole range: Chile 1 m 12 s (120 chats), Peru 1 m 12 s (6 chats).',
  );
  expect(own.sentence).toBe('Time to an answer: half within (p50), a line for each country.');
});

test('a receipt is asked for the value, its day or the whole range', () => {
  const picture = split(counted, byCountry({ Peru: [1, 2, 3], Chile: [4, 5, 6] }), setting);
  expect(picture.table.rows[2]?.[1]?.cell).toEqual({
    ...{ metric: 'm', measure: 'n', grain: 'asked', period: '2026-11-02', at: { country: 'Chile' } },
  });
  expect(picture.table.rows[0]?.[2]?.cell).toMatchObject({ grain: 'total', at: { country: 'Peru' } });
});

test('the largest are those with most chats where the number is none of size', () => {
  const asked = questions(splitPanel(panel({ unit: 'seconds' }), 'country', metric));
  expect(asked.map((it) => [it.metric, it.grain])).toEqual([
    ...[
      ['m', 'asked'],
      ['m', 'total'],
    ],
    ['total_chats', 'total'],
  ]);
  expect(questions(counted).map(({ grain }) => grain)).toEqual(['asked', 'total']);
});

test('weekdays are rows in their order, whatever their numbers', () => {
  const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const rows = week.map((weekday, at): AnswerRow => ({
    weekday,
    n: [3, 9, 1, 4, 8, 2, 5][at] ?? 0,
    state: 'complete',
  }));
  const own = splitPanel(panel(), 'weekday', metric);
  expect(questions(own)).toMatchObject([{ grain: 'total', split: ['weekday'] }]);
  const picture = ranking(own, [answer(rows, { grain: 'total' })], setting);
  expect(picture.table.rows.map(([name, value]) => `${name?.text} ${value?.text}`)).toEqual([
    ...['Monday 3', 'Tuesday 9', 'Wednesday 1', 'Thursday 4', 'Friday 8', 'Saturday 2', 'Sunday 5'],
  ]);
});

test('where agents are not ranked they stand in the order of names, and others by size as ever', () => {
  const [unranked] = panelsFor([panel()], { isShown: true, isRanked: false });
  const drawn = (by: 'agent' | 'country') =>
    split(
      { ...splitPanel(unranked ?? panel(), by, metric), split: ['country'] },
      byCountry({ Spain: [9, 9, 9], Chile: [1, 1, 1], Malta: [5, 5, 5] }),
      setting,
    ).table.columns.map(({ title }) => title);
  expect(drawn('agent')).toEqual(['Period', 'Chile', 'Malta', 'Spain']);
  expect(drawn('country')).toEqual(['Period', 'Spain', 'Malta', 'Chile']);
  const already = panelsFor([splitPanel(panel(), 'agent', metric)], { isShown: true, isRanked: false });
  expect(already[0]?.byName).toBe(true);
  expect(panelsFor([splitPanel(panel(), 'agent', metric)], { isShown: false, isRanked: true })).toEqual([]);
});

test('no split panel speaks of a band that it does not draw', () => {
  const banded = dashboards.flatMap(({ panels }) => panels).filter((it) => it.band && isSplittable(it));
  expect(banded.length).toBeGreaterThan(4);
  for (const it of banded)
    for (const by of ['group', 'weekday'] as const) {
      const { sentence } = splitPanel(it, by, metric);
      expect(sentence).not.toMatch(/band|the line is/);
      expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
    }
});

test('a panel is split by a declared variable, which the address names and the account titles', () => {
  const valued = { splits: ['group', 'variable'], adds_up_by: ['variable'] };
  const of = (more: object) => splitOf(panel({ id: 'volume' }), { ...choice, ...more }, valued);
  expect(of({ split: ['volume.variable:plan'] })).toBe('variable:plan');
  expect(isSplit('volume.variable:plan')).toBe(true);
  expect(
    ['volume.variable', 'volume.variable:', 'volume.variable:Plan', 'volume.variable:a.b'].filter(isSplit),
  ).toEqual([]);
  expect(variableSplitsFor(valued, [{ id: 'plan' }])).toEqual(['variable:plan']);
  expect(variableSplitsFor(metric, [{ id: 'plan' }])).toEqual([]);
  const divided = splitPanel(panel(), 'variable:plan', valued, { plan: 'Plan of the site' });
  expect(divided).toMatchObject({ split: ['variable:plan'], addsUp: true });
  expect(divided.title).toContain(', by Plan of the site');
});

test('several chosen values of one variable are compared, one of each of two is not', () => {
  const valued = { splits: ['group', 'variable'], adds_up_by: [] };
  const of = (variable: string[], isTogether = false) =>
    splitOf(panel({ id: 'volume' }), { ...choice, variable, isTogether }, valued);
  expect(of(['plan:pro', 'plan:free'])).toBe('variable:plan');
  expect(of(['plan:pro', 'region:eu', 'region:us'])).toBe('variable:region');
  expect(of(['plan:pro', 'region:eu'])).toBeUndefined();
  expect(of(['plan:pro', 'plan:free'], true)).toBeUndefined();
  expect(splitOf(panel({ id: 'volume' }), { ...choice, variable: ['plan:a', 'plan:b'] }, metric)).toBeUndefined();
});

test('each value of a variable is a line that leads to its receipt, and chats without one are a part', () => {
  const divided = splitPanel(panel(), 'variable:plan', { splits: ['variable'], adds_up_by: ['variable'] }, {});
  const rows = (n: number[], period?: string): AnswerRow[] =>
    ['pro', null].map((variable, at) => ({
      ...(period ? { period } : {}),
      variable,
      n: n[at] ?? 0,
      state: 'complete',
    }));
  const answers = [
    answer(
      days.flatMap((day, at) => rows([at + 1, 4], day)),
      { split: ['variable'] },
    ),
    answer(rows([6, 12]), { split: ['variable'], grain: 'total' }),
  ];
  const picture = split(divided, answers, { ...setting, names: { variable: { plan: 'Plan' } } });
  expect(picture.summary).toContain('without Plan 12, pro 6');
  const cells = picture.table.rows.flatMap((row) => row.flatMap(({ cell }) => cell ?? []));
  const queries = cells.map((cell) =>
    receiptQuery(cell, { ...asking, group: [], agent: [], tag: [], variable: [] }).toString(),
  );
  expect(queries).toContain(
    'from=2026-11-01&to=2026-11-03&timezone=UTC&grain=day&split=variable%3Aplan&period=2026-11-02&at.variable=pro&measure=n',
  );
});
