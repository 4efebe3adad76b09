// What is read from a file that nobody writes stays true: it is read once.
import { Coalescer, currentSignal, until, withSignal } from './cancellation.ts';
import type { Engine } from './engine.ts';

const kept = new WeakMap<Engine, Map<string, Promise<unknown>>>();

/**
 * The same `key` must always stand for the same reading, and there must be few keys: they are kept as long as the file is
 * open. Errors are not kept. A reading goes on when the first to ask for it leaves: others may have joined.
 */
export function memoized<T>(engine: Engine, key: string, read: () => Promise<T>): Promise<T> {
  if (!engine.isFrozen) return read();
  let known = kept.get(engine);
  if (!known) kept.set(engine, (known = new Map()));
  const found = known.get(key) as Promise<T> | undefined;
  if (found) return until(found, currentSignal());
  const reading = withSignal(undefined, read);
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return until(reading, currentSignal());
}

const running = new WeakMap<Engine, Coalescer<unknown>>();

/** What several ask at the same moment is read for all of them; nothing is kept. Nobody may change what is read. */
export function coalesced<T>(engine: Engine, key: string, read: () => Promise<T>): Promise<T> {
  if (!engine.isFrozen) return read();
  let known = running.get(engine);
  if (!known) running.set(engine, (known = new Coalescer()));
  return known.run(key, read) as Promise<T>;
}
