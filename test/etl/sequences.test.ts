// A few random histories of pulls, faults, kills and changes at the source; `npm run drill:sequences` tries as many as one likes.
import { expect, test } from 'vitest';
import { isWhole, tries } from '../chance.ts';
import { happenings, sequences } from '../drills/sequences.ts';

test('whatever happens to chats and pulls, the next whole pull ends in the facts of a fresh one', async () => {
  const runs = tries(2, 4);
  const { tried, happened } = await sequences({ runs, seed: 6, least: 7, within_ms: 150_000 });
  expect(tried).toBe(runs);
  if (isWhole) expect([...happened].sort()).toEqual([...happenings].sort());
  else expect(happened.size).toBeGreaterThan(5);
});
