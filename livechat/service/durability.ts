// Writes reach the disk together: whoever waits for one does so with everybody who wrote meanwhile, and nobody else is held up.

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
  /** The run that is under way, and the one that begins after it. */
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
  const start = (): Promise<void> => {
    const own = run().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  };
  const follow = (): Promise<void> => {
    const begin = (): Promise<void> => {
      following = undefined;
      return start();
    };
    following ??= running!.then(begin, begin);
    return following;
  };

  return {
    written() {
      is_pending = true;
    },
    settled() {
      if (is_pending) return running ? follow() : start();
      return running ?? Promise.resolve();
    },
    is_pending: () => is_pending,
  };
}
