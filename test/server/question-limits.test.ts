// What questions may take follows the machine or container, unless it is set.
import { expect, test } from 'vitest';
import { questionLimits } from '#server/question-limits.ts';

test.each([
  ['much memory', undefined, 16e9, '1000MB', '1000MB'],
  ['a container of 1 GB', undefined, 1024 * 1024 * 1024, '269MB', '1000MB'],
  ['no limit that is known', undefined, Infinity, '1000MB', '1000MB'],
  ['a setting above what there is', 2e9, 1e9, '2000MB', '2000MB'],
  ['a setting below it', 100e6, 16e9, '100MB', '100MB'],
])('of %s', (_, set, allowed, memory, spill) => {
  expect(questionLimits(set, allowed)).toEqual({ memory, spill });
});
