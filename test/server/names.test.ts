// Words of the command line that are called like members of all objects are words like others.
import { expect, test } from 'vitest';
import { newFolder, runToEnd } from './program.ts';

test.each(['constructor', '__proto__', 'toString'])('digest %s is no action', async (action) => {
  const { code, complained } = await runToEnd(['digest', action], {}, newFolder());
  expect([code, complained]).toEqual([2, expect.stringContaining(`digest ${action} is no action; choose from list,`)]);
});
