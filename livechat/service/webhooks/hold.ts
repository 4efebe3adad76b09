// Deliveries that the disk may not have yet: nobody is told of what a crash of the machine may undo.

interface Hold {
  /** Holds a delivery that is being written. */
  add(position: number): void;
  holds(position: number): boolean;
  /** Begins to let go of all that are held. */
  release(): void;
}

interface HoldOptions {
  onReleased: () => void;
  /** The disk refused; what is held stays so until the next `release`. */
  onMistake: (error: unknown) => void;
}

/** `settled` resolves once the disk has all that was written before the call. Until it first does, all deliveries are held. */
export function createHold(settled: () => Promise<void>, { onReleased, onMistake }: HoldOptions): Hold {
  let is_new = true;
  let held = new Set<number>();
  let leaving: Set<number> | undefined;

  return {
    add(position) {
      held.add(position);
    },
    // A position is used again once its delivery is gone, so that the same one may be held anew while it leaves.
    holds: (position) => is_new || held.has(position) || leaving?.has(position) === true,
    release() {
      if (leaving || (held.size === 0 && !is_new)) return;
      const own = held;
      leaving = own;
      held = new Set();
      settled().then(
        () => {
          is_new = false;
          leaving = undefined;
          onReleased();
        },
        (error: unknown) => {
          held = held.union(own);
          leaving = undefined;
          onMistake(error);
        },
      );
    },
  };
}
