// Long work in slices: everybody else is answered between them, and of several that work at once each has its turn.
import { assertAsked } from './asking.ts';

/** Milliseconds of a slice. */
const slice_ms = 4;

const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop, in which no other slice is worked. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/** Does the work for each piece in order; what is short is done at once. Throws HungUp once nobody waits for it. */
export async function inSlices<T>(pieces: Iterable<T>, work: (piece: T) => void): Promise<void> {
  const rest = pieces[Symbol.iterator]();
  for (;;) {
    const until = performance.now() + slice_ms;
    do {
      const piece = rest.next();
      if (piece.done) return;
      work(piece.value);
      // TRICKY: a piece may wait for the disk; the clock is read after each.
    } while (performance.now() < until);
    await turn();
    assertAsked();
  }
}
