// Caches results from files that nobody writes, which never change.
import { Coalescer, currentSignal, until, withSignal } from './cancellation.ts';
import type { Engine } from './engine.ts';

const kept = new WeakMap<Engine, Map<string, Promise<unknown>>>();

/**
 * A `key` must always identify the same result, and there must be few keys: results are kept as long as the file is open. Errors are not
 * cached. A query continues when its first caller disconnects, because others may have joined.
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

/** Concurrent identical queries share one execution; nothing is cached. The result must not be modified. */
export function coalesced<T>(engine: Engine, key: string, read: () => Promise<T>): Promise<T> {
  if (!engine.isFrozen) return read();
  let known = running.get(engine);
  if (!known) running.set(engine, (known = new Coalescer()));
  return known.run(key, read) as Promise<T>;
}
