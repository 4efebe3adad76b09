// A small round of the drill of test/drills/pull.ts: a pull that is killed again and again loses nothing and does nothing twice.
import { expect, test } from 'vitest';
import { tries } from '../chance.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { drill, type Round } from '../drills/pull.ts';

/** Each costs a pull; `npm run drill:pull` kills as many as are asked for. */
const kills_asked = tries(2, 5);

test('pulls killed at random moments while the source misbehaves end with what is at the source, table by table', async () => {
  const rounds: Round[] = [];
  await drill({ kills: kills_asked, seed: 11, days: 3, world: thirdOfSmallWorld }, (round) => rounds.push(round));
  expect(rounds.map(({ lost, wrong, words }) => [lost, wrong, words])).toEqual(rounds.map(() => [0, 0, []]));
  expect(rounds.reduce((sum, { kills }) => sum + kills, 0)).toBe(kills_asked);
  expect(rounds[0]?.chats).toBeGreaterThan(tries(100, 300));
});
