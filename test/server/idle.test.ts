// What a busy time took is given back, and what is ready at once goes on one after another.
import { expect, it } from 'vitest';
import { watchIdle } from '#server/idle.ts';
import { ownTurn } from '#server/one-at-a-time.ts';

/** Memory that nobody needs any more, of the kind that answers are made of. */
function rubbish(): number {
  const rows = Array.from({ length: 1_500_000 }, (_, index) => ({ period: index, chats: index, state: 'complete' }));
  return rows.length;
}

it('a while after the last request the memory of a busy time is given back, and not before', async () => {
  const idle = watchIdle(300);
  expect(rubbish()).toBe(1_500_000);
  const full = process.memoryUsage().heapTotal;
  expect(full).toBeGreaterThan(64 * 1024 * 1024);
  for (let time = 0; time < 6; time++) {
    idle.busy();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await expect.poll(() => process.memoryUsage().heapTotal, { timeout: 60_000 }).toBeLessThan(full - 32 * 1024 * 1024);
  idle.stop();
});

it('work that is ready at the same moment leaves others their turn in between', async () => {
  const said: string[] = [];
  const work = ['first', 'second', 'third'].map(async (name) => {
    await ownTurn();
    said.push(name);
    // What comes from outside, such as a request, is seen by the loop before the next one goes on.
    setTimeout(() => said.push(`beside ${name}`), 0);
    for (const end = performance.now() + 5; performance.now() < end;);
  });
  await Promise.all(work);
  expect(said.filter((name) => !name.startsWith('beside'))).toEqual(['first', 'second', 'third']);
  expect(said.indexOf('beside first')).toBeLessThan(said.indexOf('third'));
});
