// A few random histories of pulls, faults, kills and changes at the source; `npm run drill:sequences` tries as many as one likes.
import { expect, test } from 'vitest';
import { tries } from '../chance.ts';
import { happenings, sequences } from '../drills/sequences.ts';

/** With this seed two histories of at least five happenings have everything that can happen; the drill has ten of eight. */
const size = { runs: tries(2, 10), seed: tries(2708, 303), least: tries(5, 8) };

test('whatever happens to chats and pulls, the next whole pull ends in the facts of a fresh one', async () => {
  const { tried, happened } = await sequences({ ...size, within_ms: 500_000 });
  expect(tried).toBe(size.runs);
  expect([...happened].sort()).toEqual([...happenings].sort());
});
