// A small round of the drill of test/drills/pull.ts: a pull that is killed again and again loses nothing and does nothing twice.
import { expect, test } from 'vitest';
import { drill, type Round } from '../drills/pull.ts';

test('pulls killed at random moments while the source misbehaves end with what is at the source, table by table', async () => {
  const rounds: Round[] = [];
  await drill({ kills: 5, seed: 11, days: 3 }, (round) => rounds.push(round));
  expect(rounds.map(({ lost, wrong, words }) => [lost, wrong, words])).toEqual(rounds.map(() => [0, 0, []]));
  expect(rounds.reduce((sum, { kills }) => sum + kills, 0)).toBe(5);
  expect(rounds[0]?.chats).toBeGreaterThan(300);
});
