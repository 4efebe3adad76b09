// Funnels, four weeks and rankings of two metrics: what is drawn, and what stands in the table.
import { expect, test } from 'vitest';
import { fourWeeks } from '#dashboards/pictures/four-weeks.ts';
import { funnel } from '#dashboards/pictures/funnel.ts';
import { ranking } from '#dashboards/pictures/ranking.ts';
import { questions } from '#dashboards/questions.ts';
import { answer, panel, setting } from './answers.ts';

const state = 'complete' as const;

test('a step of a funnel says its number and its share of the step before', () => {
  const steps = panel({
    picture: 'funnel',
    grain: 'total',
    measures: [
      { measure: 'shown', label: 'shown' },
      { measure: 'chats', label: 'chats' },
      { measure: 'goals', label: 'goals', metric: 'other' },
    ],
  });
  const picture = funnel(
    steps,
    [answer([{ shown: 200, chats: 50, state }]), answer([{ goals: null, state }], { metric: 'other' })],
    setting,
  );
  expect(picture.table.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ['Shown', '200', ''],
    ['Chats', '50', '25.0%'],
    ['Goals', 'no data', ''],
  ]);
  expect(picture.summary).toBe('Shown: 200; Chats: 50, 25.0% of the step before; Goals: no data.');
});

test('four weeks stand weekday by weekday, and an hour that has not come is not zero', () => {
  const hours = ['2026-11-02', '2026-11-03', '2026-11-09'].flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => ({
      period: `${day} ${String(hour).padStart(2, '0')}:00`,
      n: day === '2026-11-09' && hour > 9 ? 0 : 1,
      state: day === '2026-11-09' && hour > 8 ? ('open' as const) : state,
    })),
  );
  const weeks = panel({ picture: 'four_weeks', grain: 'hour', span: 'four_weeks' });
  const picture = fourWeeks(weeks, [answer(hours, { grain: 'hour' })], setting);
  expect(picture.table.rows.map((row) => row[0]?.text)).toEqual(['Mon 2 Nov', 'Mon 9 Nov', 'Tue 3 Nov']);
  expect(picture.table.rows[1]?.slice(9, 13).map(({ kind }) => kind)).toEqual([
    'number',
    'number',
    'no_data',
    'no_data',
  ]);
  expect(picture.charts[0]?.tips[0]?.lines[0]?.cell).toMatchObject({
    grain: 'hour',
    period: '2026-11-02 00:00',
    from: '2026-11-02',
    to: '2026-11-02',
  });
});

test('a ranking lines two metrics up by their agents', () => {
  const hours = panel({
    picture: 'ranking',
    unit: 'hours',
    beside: true,
    split: ['agent'],
    measures: [
      { measure: 'hours', label: 'chatting' },
      { measure: 'hours', label: 'available', metric: 'other' },
    ],
  });
  const picture = ranking(
    hours,
    [
      answer([
        { agent: 'a', hours: 1, state },
        { agent: 'b', hours: 3, state },
      ]),
      answer([{ agent: 'a', hours: 8, state }], { metric: 'other' }),
    ],
    setting,
  );
  expect(picture.table.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ['b', '3 h', 'no data'],
    ['a', '1 h', '8 h'],
  ]);
  expect(picture.table.rows[1]?.[2]?.cell).toMatchObject({ metric: 'other', at: { agent: 'a' } });
});

test('what changed is asked of the whole, of each split and of the periods of the whole, always with a comparison', () => {
  const asked = questions(panel({ picture: 'changes', grain: 'total', by: ['group', 'tag'] }));
  expect(asked.map(({ split, grain, compare }) => [split.join(), grain, compare])).toEqual([
    ['', 'total', true],
    ['group', 'total', true],
    ['tag', 'total', true],
    ['', 'asked', true],
  ]);
});
