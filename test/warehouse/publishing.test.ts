// A small round of the drill of test/drills/publishing.ts: whatever moment publishing is killed at, nothing of the past is lost.
import { expect, test } from 'vitest';
import { tries } from '../chance.ts';
import { publishingDrill } from '../drills/publishing.ts';

test('publishing that is killed at random moments loses no snapshot and leaves nothing that is not listed', async () => {
  const { publications, failures } = await publishingDrill(tries(3, 5), 3);
  expect(failures).toEqual([]);
  expect(publications).toBeGreaterThan(1);
});
