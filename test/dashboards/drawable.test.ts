// Names that every object inherits are drawn like others, and leave the dictionaries of the chart library whole.
import { expect, test } from 'vitest';
import { drawn } from '#digests/charts.ts';
import { amounts } from '#dashboards/pictures/amounts.ts';
import { changes } from '#dashboards/pictures/changes.ts';
import { drawable, harmless } from '#dashboards/pictures/drawable.ts';
import type { Chart } from '#dashboards/pictures/picture.ts';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { answer, panel, setting } from './answers.ts';
import { belongings, inherited } from './inherited.ts';

const complete = { state: 'complete' as const };
const tags = panel({ picture: 'ranking', split: ['tag'], measures: [{ measure: 'n', label: 'chats' }] });
const tagged = (names: readonly string[]): Chart[] =>
  ranking(tags, [answer(names.map((tag, index) => ({ tag, n: 50 - index, ...complete })))], setting).charts;

/** The texts of a drawing, in order. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>(?:<tspan[^>]*>)?([^<]*)/g)].map(([, text = '']) => text);

test('every such name is drawn as it is written, and no object gains a member', () => {
  const before = belongings();
  for (const turn of [0, 1, 2]) {
    const [chart] = tagged([...inherited, `more ${turn}`]);
    const svg = drawn(chart!, 600);
    for (const name of inherited) expect(textsOf(svg)).toContain(name);
  }
  expect(belongings()).toEqual(before);
});

test('neither does a name in a line, at the beginning of a long text, or in a currency and a change', () => {
  const before = belongings();
  const texts = inherited.flatMap((name) => [`first\n${name}`, `${name} ${'x'.repeat(60)}`, `a ${name}`]);
  for (const chart of tagged(texts)) drawn(chart, 600);
  const sold = inherited.map((currency) => ({ period: '2026-11-01', currency, value: 5, ...complete }));
  const money = panel({ picture: 'amounts', unit: 'money', measures: [{ measure: 'value', label: 'value' }] });
  for (const chart of amounts(money, [answer(sold)], setting).charts) drawn(chart, 600);
  const moved = inherited.map((tag, index) => ({ tag, n: index + 2, ...complete }));
  const compared = { from: '2026-10-01', to: '2026-10-05' };
  const answers = [
    answer([{ n: 40, ...complete }], { compare: { ...compared, rows: [{ n: 10, ...complete }] } }),
    answer(moved, { split: ['tag'], compare: { ...compared, rows: [] } }),
  ];
  for (const chart of changes(panel({ by: ['tag'] as never }), answers, setting).charts) drawn(chart, 600);
  expect(belongings()).toEqual(before);
});

test('after such names other texts are measured as before', () => {
  const others = Array.from({ length: 20 }, (_, index) => `a tag of some length ${index}`);
  const first = tagged(others).map((chart) => drawn(chart, 600));
  for (const chart of tagged(inherited)) drawn(chart, 600);
  // More texts than the library keeps: it goes through its whole list to let go of them.
  for (let turn = 0; turn < 40; turn += 1)
    for (const chart of tagged(others.map((it) => `${it} ${turn}`))) drawn(chart, 600);
  const again = tagged(others).map((chart) => drawn(chart, 600));
  // The library counts its drawings in the names of their classes.
  const plain = (svg: string) => svg.replaceAll(/(zr\d+-)?cls-\d+/g, '');
  expect(again.map(plain)).toEqual(first.map(plain));
});

test('no name is left whole in what the library is given, and what has none is handed on', () => {
  const rows = [1, 2, 3];
  const formatter = () => 'toString';
  const option = {
    xAxis: { data: ['__proto__', 'constructor\nvalueOf'] },
    series: [{ data: rows }],
    label: { formatter },
  };
  const given = drawable({ option, tips: [], hits: 'row', height: 10 }) as typeof option;
  for (const text of [...given.xAxis.data, given.label.formatter()].flatMap((it) => it.split('\n')))
    expect(inherited).not.toContain(text);
  expect(given.series[0]?.data).toBe(rows);
  expect(harmless('an ordinary tag')).toBe('an ordinary tag');
});
