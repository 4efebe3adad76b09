// What is read from a file that nobody writes stays true: it is read once.
import type { Engine } from './engine.ts';

const kept = new WeakMap<Engine, Map<string, Promise<unknown>>>();

/** The same `key` must always stand for the same reading. Errors are not kept. */
export function once<T>(engine: Engine, key: string, read: () => Promise<T>): Promise<T> {
  if (!engine.isFrozen) return read();
  let known = kept.get(engine);
  if (!known) kept.set(engine, (known = new Map()));
  const found = known.get(key) as Promise<T> | undefined;
  if (found) return found;
  const reading = read();
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return reading;
}
