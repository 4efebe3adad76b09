// A bounded queue between fetching and loading: fetching waits while it is full. Bounded so that memory use does not depend on the size
// of the account.

export interface BoundedQueue<T> {
  /** Resolves when there is room. @throws the error passed to `fail`. */
  put(item: T): Promise<void>;
  /**
   * A batch as soon as it is full, or as it is once `wake` was called, even empty; at the end the rest, then undefined. @throws the error
   * passed to `fail`, after the last item.
   */
  take(): Promise<T[] | undefined>;
  /** Whether `take` would return without waiting. */
  isReady(): boolean;
  /** Ends the waiting of `take`, or of the next one. */
  wake(): void;
  /** No more items will follow. */
  end(): void;
  /** No more items can follow, because of this error. Queued items are still delivered. */
  fail(error: unknown): void;
  has_failed(): boolean;
}

/** Sizes in whatever unit `sizeOf` counts: `slice` is taken at once, and up to `most`, which is more, is held. */
export function createBoundedQueue<T>(sizeOf: (item: T) => number, slice: number, most: number): BoundedQueue<T> {
  const held: T[] = [];
  let size = 0;
  let has_ended = false;
  let is_woken = false;
  let failure: { error: unknown } | undefined;
  let waiting: (() => void)[] = [];
  const changed = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const change = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    async put(item) {
      while (size >= most && !failure) await changed();
      if (failure) throw failure.error;
      held.push(item);
      size += sizeOf(item);
      change();
    },
    async take() {
      while (size < slice && !has_ended && !failure && !is_woken) await changed();
      const wasWoken = is_woken;
      is_woken = false;
      if (held.length === 0) {
        if (failure) throw failure.error;
        return wasWoken && !has_ended ? [] : undefined;
      }
      const taken: T[] = [];
      for (
        let room = slice, next = held[0];
        next !== undefined && (taken.length === 0 || sizeOf(next) <= room);
        next = held[0]
      ) {
        held.shift();
        taken.push(next);
        room -= sizeOf(next);
        size -= sizeOf(next);
      }
      change();
      return taken;
    },
    isReady: () => size >= slice,
    wake() {
      is_woken = true;
      change();
    },
    end() {
      has_ended = true;
      change();
    },
    fail(error) {
      failure ??= { error };
      change();
    },
    has_failed: () => failure !== undefined,
  };
}
