// Ranks say no more than the intervals do: who cannot be told apart shares one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, withoutRanks } from '#dashboards/panel.ts';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { ranked, type RankInterval } from '#dashboards/ranks.ts';
import { answer, panel, setting } from './answers.ts';

const ranksOf = (all: RankInterval[]) => ranked(all, (it) => it).map(({ rank }) => rank);

test('overlapping intervals share a rank, and the next rank counts all before it', () => {
  const all = [
    { low: 0.9, high: 0.95 },
    { low: 0.85, high: 0.92 },
    { low: 0.7, high: 0.8 },
    { low: 0.6, high: 0.75 },
    { low: 0.2, high: 0.4 },
  ];
  expect(ranksOf(all)).toEqual([1, 1, 3, 3, 5]);
});

test('few ratings put nobody first: their lower end is low', () => {
  expect(
    ranked(
      [
        { low: 0.2, high: 1 },
        { low: 0.8, high: 0.9 },
      ],
      (it) => it,
    ).map(({ it }) => it.low),
  ).toEqual([0.8, 0.2]);
});

test('a rank never falls, and everyone of a rank overlaps with its first', () => {
  const interval = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) }));
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 30 }), (all) => {
      const order = ranked(all, (it) => it);
      order.forEach(({ it, rank }, index) => {
        const first = order[rank - 1];
        expect(rank).toBeLessThanOrEqual(index + 1);
        expect(rank).toBeGreaterThanOrEqual(order[index - 1]?.rank ?? 1);
        expect(it.high).toBeGreaterThanOrEqual(first?.it.low ?? 0);
      });
    }),
  );
});

const state = 'complete' as const;
const people = panel({
  picture: 'ranking',
  unit: 'share',
  ranks: true,
  split: ['agent'],
  measures: [
    { measure: 'csat', label: 'CSAT' },
    { measure: 'rated', label: 'ratings' },
  ],
  band: { from: 'low', to: 'high', label: '95% interval' },
});

test('the picture names the ranks, shows the intervals and says how many can be told apart', () => {
  const picture = ranking(
    people,
    [
      answer([
        { agent: 'few', csat: 1, low: 0.3, high: 1, rated: 1, state },
        { agent: 'many', csat: 0.9, low: 0.85, high: 0.94, rated: 400, state },
        { agent: 'none', csat: null, low: null, high: null, rated: 0, state },
        { agent: 'worse', csat: 0.5, low: 0.25, high: 0.6, rated: 200, state },
      ]),
    ],
    setting,
  );
  const told = picture.table.rows.map((row) => [row[0]?.text, row[1]?.text, row[4]?.text]);
  expect(told).toEqual([
    ['many', '1', '85.0% – 94.0%'],
    ['few', '1', '30.0% – 100.0%'],
    ['worse', '3', '25.0% – 60.0%'],
  ]);
  expect(picture.summary).toContain('2 ranks can be told apart.');
  expect(picture.summary).toContain('highest 100.0% (few), lowest 50.0% (worse)');
});

test('who all have the same number are not called highest and lowest, and nobody with one is no picture', () => {
  const alike = (csat: number | null) =>
    ['a', 'b'].map((agent) => ({ agent, csat, low: csat && 0.4, high: csat, rated: csat && 3, state }));
  expect(ranking(people, [answer(alike(1))], setting).summary).toMatch(/^\S.*: 100\.0% throughout\. None of them/);
  expect(ranking(people, [answer(alike(null))], setting).charts).toEqual([]);
});

test('ranks are seen behind names of any length, width and direction', () => {
  const names = [
    'Ann',
    'Wolfeschlegelsteinhausenbergerdorff',
    '山田太郎左衛門尉藤原朝臣義経',
    'محمد',
    'ЩЕРБАКОВА ЖАННА',
  ];
  const rows = names.map((agent, index) => ({ agent, csat: 0.9 - index / 100, low: 0.8, high: 0.95, rated: 9, state }));
  const { option } = ranking(people, [answer(rows)], setting).charts[0]!;
  expect((option['yAxis'] as { data: string[] }).data).toEqual([
    'Ann  1',
    'Wolfeschlegelste…  1',
    '山田太郎左衛門尉藤…  1',
    '\u2068محمد\u2069  1',
    'ЩЕРБАКОВА ЖА…  1',
  ]);
});

test('where agents are not ranked, they stand by name and nothing says who is first', () => {
  const shown = dashboards.flatMap(({ panels }) => panelsFor(panels, { isShown: true, isRanked: false }));
  const ofAgents = shown.filter(({ split }) => split?.includes('agent'));
  expect(ofAgents.length).toBeGreaterThan(3);
  for (const { id, byName, ranks, title, sentence, unit } of ofAgents) {
    expect([id, byName, ranks, unit === 'score']).toEqual([id, true, false, false]);
    expect(`${title} ${sentence}`).not.toMatch(/first\b(?! response)|\brank|order|slowest|fastest|told apart/i);
  }
  expect(shown.filter(({ by }) => by?.includes('agent'))).toEqual([]);
  const [unranked = people] = withoutRanks([people]);
  const rows = [
    { agent: 'Zoë', csat: 0.9, low: 0.85, high: 0.94, rated: 400, state },
    { agent: 'Ann', csat: 0.5, low: 0.25, high: 0.6, rated: 200, state },
    { agent: 'Bob', csat: 1, low: 0.3, high: 1, rated: 1, state },
  ];
  const picture = ranking(unranked, [answer(rows)], setting);
  expect(picture.table.rows.map(([head]) => head?.text)).toEqual(['Ann', 'Bob', 'Zoë']);
  expect(picture.table.columns.map(({ title }) => title)).not.toContain('rank');
  expect(picture.summary).toBe('In the order of names.');
});
