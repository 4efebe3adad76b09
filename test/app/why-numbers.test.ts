// "Why?" of a period whose numbers are still arriving: no comparison of a young number with grown ones.
import { expect, it } from 'vitest';
import type { Answer, AnswerRow, State } from '#dashboards/answer.ts';
import type { Pointed } from '#dashboards/why/asked-about.ts';
import type { Catalogued } from '#dashboards/why/measured.ts';
import { readNumbers, type WhyQuestion } from '#lib/why/numbers.ts';
import { words } from '#dashboards/words.ts';

const day = '2026-11-24';
const today = '2026-11-26';
const measures = {
  rate: { title: 'Share with a sale', unit: 'share' },
  chats: { title: 'Chats', unit: 'chats' },
  chats_with_sale: { title: 'Chats with a sale', unit: 'chats' },
};
const metricOf = (id: string): Catalogued => ({
  ...{ id, title: id, kind: 'A', measures, splits: ['weekday', 'hour_of_day'], filters: [], adds_up_by: [] },
});
const pointed: Pointed = {
  compare: 'previous',
  cell: { metric: 'conversion', measure: 'rate', grain: 'asked', period: day, at: {} },
  asking: {
    ...{ account: null, from: '2026-11-01', to: '2026-11-25', timezone: 'UTC', grain: 'day' },
    ...{ group: [], agent: [], tag: [], variable: [] },
  },
};

const numbersWhen = (state: State) => {
  const metric = 'conversion';
  const row = (period: string, of: State): AnswerRow => ({
    ...{ period, state: of, rate: 0.5, chats: 50, chats_with_sale: 25, weekday: 'tue' },
  });
  const tuesdays = ['2026-10-27', '2026-11-03', '2026-11-10', '2026-11-17'].map((it) => row(it, 'complete'));
  const ask = ({ from, to, grain, compare }: WhyQuestion) => {
    const hours = [row(`${day} 09:00`, state), row(`${day} 10:00`, state)];
    const rows = grain === 'hour' ? hours : [...tuesdays, row(day, state)];
    const before = { from: '2026-11-17', to: '2026-11-17', rows: tuesdays.slice(-1) };
    const answer: Answer = {
      ...{ metric, timezone: 'UTC', from, to, grain },
      ...(compare ? { rows: grain === 'total' ? [row(day, state)] : rows, compare: before } : { rows }),
    };
    return Promise.resolve({ kind: 'answered' as const, answer });
  };
  return readNumbers(ask, pointed, metricOf(metric), { isShown: true, isRanked: true }, today, {
    locale: 'en-GB',
    names: { group: {}, agent: {} },
  });
};

it('a day of sales is compared with four others once it is final, and not before', async () => {
  expect((await numbersWhen('complete')).compared?.sentence).toContain('on the four Tuesdays before');
  expect((await numbersWhen('settling')).compared).toMatchObject({ change: { text: words.unripe }, sentence: '' });
});
