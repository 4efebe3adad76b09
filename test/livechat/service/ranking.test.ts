// The ranking score against every row that the vendor published, and who is ranked.
import { expect, it } from 'vitest';
import { scoreOf } from '#service/reports/ranking.ts';
import { ann, at, bob, chat, ticket, tinyAccount } from './tiny.ts';

it.each([
  [2502, 426, 0.8361489669658251],
  [2164, 443, 0.8094273999034496],
  [1070, 215, 0.8029689181922964],
])('gives %i good and %i bad the score %d to the last bit', (good, bad, score) => {
  expect(scoreOf(good, bad)).toBe(score);
});

it.each([
  [0, 2, 0.11473482425785904],
  [13, 6, 0.42326713031463276],
])('gives %i good and %i bad the score %d of the newer interface', (good, bad, score) => {
  expect(Math.abs(scoreOf(good, bad) - score)).toBeLessThan(1e-15);
});

const day = '2026-05-04';
const rated = (rate: 'rated_good' | 'rated_bad' | 'rated', own: object = {}) =>
  chat(`${day}T10:00:00Z`, `${day}T10:10:00Z`, { ratings: [{ at: at(`${day}T10:11:00Z`), rate }], ...own });
const both = [
  { display_name: 'Ann', email: ann },
  { display_name: 'Bob', email: bob },
];

it('ranks every agent of a rated chat, ties by login, and leaves out who has no ratings', async () => {
  const { ask } = tinyAccount({
    now: '2026-05-05T00:00:00Z',
    chats: [rated('rated_good', { agents: both }), rated('rated_good', { agents: both }), rated('rated')],
  });
  const score = scoreOf(2, 0);
  expect(await ask('chat_ranking', `date_from=${day}&date_to=${day}`)).toEqual({
    ranking: [
      { good: 2, bad: 0, total: 2, score, name: ann },
      { good: 2, bad: 0, total: 2, score, name: bob },
    ],
  });
});

it('narrows chats, not agents, by group and tag', async () => {
  const { ask } = tinyAccount({
    now: '2026-05-05T00:00:00Z',
    chats: [
      rated('rated_good', { agents: both, groups: [2], tags: [{ at: 0, tag: 'x' }] }),
      rated('rated_bad', { groups: [1] }),
    ],
  });
  expect((await ask('chat_ranking', 'group=2')).ranking.map(({ name, bad }) => [name, bad])).toEqual([
    [ann, 0],
    [bob, 0],
  ]);
  expect(await ask('chat_ranking', 'tag[]=x&group=1')).toEqual({ ranking: [] });
  expect((await ask('chat_ranking', '')).ranking.map(({ name, total }) => [name, total])).toEqual([
    [ann, 2],
    [bob, 1],
  ]);
});

it('counts a ticket for its assignee, by the day of the rating, the last one', async () => {
  const ratings = [
    { at: at('2026-05-02T10:00:00Z'), rate: 'rated_bad' as const },
    { at: at('2026-05-03T10:00:00Z'), rate: 'rated_good' as const },
  ];
  const { ask } = tinyAccount({
    now: '2026-05-05T00:00:00Z',
    tickets: [ticket('2026-05-01T10:00:00Z', { ratings }), ticket('2026-05-01T10:00:00Z', { ratings, assignee: null })],
  });
  expect((await ask('ticket_ranking', 'date_from=2026-05-03')).ranking).toEqual([
    { good: 1, bad: 0, total: 1, score: scoreOf(1, 0), name: ann },
  ]);
  expect(await ask('ticket_ranking', 'date_to=2026-05-02')).toEqual({ ranking: [] });
});
