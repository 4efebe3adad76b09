// The last full hour on the wall: the newest that is over, never one that goes on or was not pulled, beside the same hour a week before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer, AnswerRow, State } from '#dashboards/answer.ts';
import { aWeekBefore, lastHour, lastHourIn } from '#dashboards/pictures/last-hour.ts';
import { now } from '#dashboards/tv-mode.ts';

const hours = (day: string, chats: (number | null)[], states: State[]): AnswerRow[] =>
  states.map((state, hour) => ({
    period: `${day} ${String(hour).padStart(2, '0')}:00`,
    state,
    chats: chats[hour] ?? null,
  }));
const answer = (rows: AnswerRow[]): Answer => ({
  ...{ metric: 'total_chats', timezone: 'UTC', from: '2026-11-03', to: '2026-11-03', grain: 'hour', rows },
});
const chats = now.find(({ id }) => id === 'chats-tile');
if (!chats) throw new Error('the wall shows no chats');

test('the hour that goes on is said apart from the last full one', () => {
  const own = answer(hours('2026-11-03', [4, 9, 2, null], ['settling', 'settling', 'open', 'open']));
  const before = answer(hours('2026-10-27', [1, 7, 5, 5], ['complete', 'complete', 'complete', 'complete']));
  const hour = lastHourIn(own);
  expect(hour).toBe('2026-11-03 01:00');
  expect(lastHour(chats, hour, own, before, 'en')).toMatchObject({ text: '9', weekAgo: '7', soFar: '2' });
});

test('where nothing is known of the hours nothing is said to be zero', () => {
  const own = answer(hours('2026-11-03', [0, 0], ['not_pulled', 'not_pulled']));
  expect(lastHour(chats, lastHourIn(own), own, undefined, 'en')).toMatchObject({
    text: 'not pulled',
    kind: 'not_pulled',
  });
});

test('no hour after the one chosen is over and known', () => {
  const state = fc.constantFrom<State>('complete', 'settling', 'open', 'not_pulled');
  fc.assert(
    fc.property(fc.array(state, { maxLength: 24 }), (states) => {
      const rows = hours('2026-11-03', [], states);
      const at = rows.findIndex(({ period }) => period === lastHourIn({ rows }));
      expect(rows.slice(at + 1).every((row) => row.state === 'open' || row.state === 'not_pulled')).toBe(true);
    }),
  );
});

test('a week before is the same hour seven days earlier, over months, years and leap days', () => {
  expect(aWeekBefore('2026-11-03 14:00')).toBe('2026-10-27 14:00');
  expect(aWeekBefore('2028-03-02 00:00')).toBe('2028-02-24 00:00');
  expect(aWeekBefore('2027-01-03 23:00')).toBe('2026-12-27 23:00');
});
