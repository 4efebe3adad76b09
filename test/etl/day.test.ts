// An hour of the drill of test/drills/day.ts: an account that lives is pulled meanwhile, and everything agrees.
import { expect, test } from 'vitest';
import { liveThrough, type Hour } from '../drills/day.ts';

test('while people chat, transfer, rate late and come and go, every compared cell is explained, and a fresh pull ends in the same rows', async () => {
  const hours: Hour[] = [];
  const day = await liveThrough({ hours: 1, every: 20, seed: 3 }, (hour) => hours.push(hour));
  expect(hours.map(({ pulls, unexplained }) => [pulls, unexplained])).toEqual([[3, []]]);
  expect([day.unexplained, day.apart, day.lost, day.wrong, day.words]).toEqual([[], [], 0, 0, []]);
  expect(day.cells).toBeGreaterThan(1000);
  const acts = hours.at(-1)?.acts;
  expect(acts?.arrive.done).toBeGreaterThan(8);
  expect(acts?.rate.done).toBeGreaterThan(1);
  expect(acts?.end.done).toBeGreaterThan(1);
});
