// What is being sent: hosts side by side, so that a slow one keeps nobody else waiting; one host one after another.
import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';

export interface Sending {
  /** Whether the send of this key waits for its turn or is under way. */
  has(key: string): boolean;
  /** Resolves when `task` has ended; one whose key is there already is not begun again. */
  add(lane: string, key: string, task: () => Promise<void>): Promise<void>;
  /** Documents are made one after another: each takes memory, and all of them the same typesetter. */
  make<Made>(task: () => Promise<Made>): Promise<Made>;
  /** What waits for its turn is not begun any more. */
  stop(): void;
}

/** Hosts that are served at once. */
const at_once = 8;

export function createSending(): Sending {
  const hosts = new PQueue({ concurrency: at_once });
  const making = new PQueue({ concurrency: 1 });
  const last = new Map<string, Promise<void>>();
  const known = new Map<string, Promise<void>>();
  let has_ended = false;
  return {
    has: (key) => known.has(key),
    add(lane, key, task) {
      const before = known.get(key);
      if (before) return before;
      const own = (): Promise<void> => hosts.add(AsyncResource.bind(() => (has_ended ? Promise.resolve() : task())));
      const mine = (last.get(lane) ?? Promise.resolve()).then(own, own).finally(() => {
        known.delete(key);
        if (last.get(lane) === mine) last.delete(lane);
      });
      known.set(key, mine);
      last.set(lane, mine);
      return mine;
    },
    make: (task) => making.add(AsyncResource.bind(task)),
    stop() {
      has_ended = true;
    },
  };
}
