// Queue of digests being sent: hosts are served in parallel, so that a slow one delays nobody else; sends to one host run one at a time.
import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';

export interface Sending {
  /** Whether the send with this key is queued or running. */
  has(key: string): boolean;
  /** Resolves when `task` has ended; a key that is already queued is not added again. */
  add(lane: string, key: string, task: () => Promise<void>): Promise<void>;
  /** Documents are built one at a time: each needs memory, and all share one typesetter. */
  make<Made>(task: () => Promise<Made>): Promise<Made>;
  /** Drops everything that is still queued. */
  stop(): void;
}

/** Maximum number of hosts served at once. */
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
