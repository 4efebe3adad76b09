// Pins of snapshots for digests. `digest run` may send while `start` or `serve` does: one change at a time, or one would undo the other.
import type { DigestDeps } from '#digests/deps.ts';
import { pin, unpin } from '#warehouse/store/pins.ts';
import { standingPins } from '#warehouse/store/snapshot-store.ts';
import type { Folder } from './folder.ts';
import { holdPinsLock } from './system-locks.ts';

export function snapshotPins({ path, published }: Pick<Folder, 'path' | 'published'>): DigestDeps['pins'] {
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const letGo = await holdPinsLock(path);
    try {
      return await work();
    } finally {
      letGo();
    }
  };
  return {
    all: () => alone(() => standingPins(published)),
    add: (id, reason) => alone(() => pin(published, id, reason)),
    remove: (id) => alone(() => unpin(published, id)),
  };
}
