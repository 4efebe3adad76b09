// Runs work that is ready at the same moment one piece after another, so that the event loop answers others in between.

const waiting: (() => void)[] = [];

function next(): void {
  setImmediate(() => {
    waiting.shift()?.();
    // TRICKY: callbacks scheduled here run after the event loop has polled for new requests, not in the same iteration.
    if (waiting.length > 0) next();
  });
}

/** Resolves in a turn of the event loop in which nobody else goes on by this. */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) next();
  });
