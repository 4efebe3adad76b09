// Comparing much that is nearly always equal: the runner's own comparison takes ten times as long and is called to show a difference.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** What `expect(found).toEqual(expected)` expects. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
