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

const running = new WeakMap<Engine, Map<string, Promise<unknown>>>();

/** What several ask at the same moment is read for all of them; nothing is kept. Nobody may change what is read. */
export function together<T>(engine: Engine, key: string, read: () => Promise<T>): Promise<T> {
  if (!engine.isFrozen) return read();
  let known = running.get(engine);
  if (!known) running.set(engine, (known = new Map()));
  const found = known.get(key) as Promise<T> | undefined;
  if (found) return found;
  const reading = read().finally(() => known.delete(key));
  known.set(key, reading);
  return reading;
}
