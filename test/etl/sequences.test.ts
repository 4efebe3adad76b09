// A few random histories of pulls, faults, kills and changes at the source; `npm run drill:sequences` tries as many as one likes.
import { expect, test } from 'vitest';
import { tries } from '../chance.ts';
import { happenings, sequences } from '../drills/sequences.ts';

/** Histories of eight happenings: with this seed the first two have everything that can happen. */
const runs = tries(2, 10);

test('whatever happens to chats and pulls, the next whole pull ends in the facts of a fresh one', async () => {
  const { tried, happened } = await sequences({ runs, seed: 303, least: 8, within_ms: 500_000 });
  expect(tried).toBe(runs);
  expect([...happened].sort()).toEqual([...happenings].sort());
});
