// A few random histories of pulls, faults, kills and changes at the source; `npm run drill:sequences` tries as many as one likes.
import { expect, test } from 'vitest';
import { happenings, sequences } from '../drills/sequences.ts';

test('whatever happens to chats and pulls, the next whole pull ends in the facts of a fresh one', async () => {
  const { tried, happened } = await sequences({ runs: 4, seed: 6, least: 7, within_ms: 500_000 });
  expect(tried).toBe(4);
  expect([...happened].sort()).toEqual([...happenings].sort());
});
