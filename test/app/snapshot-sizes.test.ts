// What the list of kept snapshots says of their sizes.
import { expect, it } from 'vitest';
import { spareBytes } from '#lib/operations/sizes.ts';

it('what all take is what each takes, and the file that the next one is written into', () => {
  const snapshots = [{ bytes: 40 }, { bytes: 2 }];
  expect(spareBytes({ snapshots, bytes: 82 })).toBe(40);
  expect(spareBytes({ snapshots, bytes: 42 })).toBe(0);
  expect(spareBytes({ snapshots: [{ bytes: null }], bytes: null })).toBe(0);
});
