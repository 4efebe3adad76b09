// Writes reach the disk together: whoever waits for one does so with everybody who wrote meanwhile, and nobody else is held up.
import { setImmediate as breathe } from 'node:timers/promises';

interface Durability {
  /** Something was written that the disk may not have yet. */
  written(): void;
  /** Resolves once the disk has all that was written before the call. Rejects when the disk refuses. */
  settled(): Promise<void>;
  is_pending(): boolean;
}

/** `sync` brings to the disk what was written before it is called. */
export function createDurability(sync: () => Promise<void>): Durability {
  let is_pending = false;
  /** The run that is under way, and the one that begins after it: with what is written until then. */
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    is_pending = false;
    try {
      await sync();
    } catch (error) {
      is_pending = true;
      throw error;
    }
  };
  const follow = async (): Promise<void> => {
    if (running) await running.catch(() => undefined);
    // Everybody whose request is there in this turn of the event loop writes before.
    await breathe();
    following = undefined;
    const own = run().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    await own;
  };

  return {
    written() {
      is_pending = true;
    },
    settled() {
      if (is_pending) return (following ??= follow());
      return running ?? Promise.resolve();
    },
    is_pending: () => is_pending,
  };
}
