// A small round of the drill of test/drills/publishing.ts: whatever moment publishing is killed at, nothing of the past is lost.
import { expect, test } from 'vitest';
import { publishingDrill } from '../drills/publishing.ts';

test('publishing that is killed at random moments loses no snapshot and leaves nothing that is not listed', async () => {
  const { publications, failures } = await publishingDrill(5, 3);
  expect(failures).toEqual([]);
  expect(publications).toBeGreaterThan(1);
});
