// Caches results from files that nobody writes, which never change, or not for a while.
import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { Coalescer, currentSignal, until, withSignal } from './cancellation.ts';
import type { Engine } from './engine.ts';

const kept = new WeakMap<Engine, Map<string, Promise<unknown>>>();

const unwritten = new AsyncLocalStorage<{ engine: Engine; known: Map<string, Promise<unknown>> }>();

/** Until `work` ends, nobody writes what it asks of a file that is written: each `memoized` result of it is read once. */
export const whileUnwritten = <T>(engine: Engine, work: () => Promise<T>): Promise<T> =>
  unwritten.run({ engine, known: new Map() }, work);

function knownOf(engine: Engine): Map<string, Promise<unknown>> | undefined {
  if (!engine.isFrozen) {
    const scope = unwritten.getStore();
    return scope?.engine === engine ? scope.known : undefined;
  }
  let known = kept.get(engine);
  if (!known) kept.set(engine, (known = new Map()));
  return known;
}

/**
 * A `key` must always identify the same result, and there must be few keys: results are kept as long as the file is open, those of a file
 * that is written as long as `whileUnwritten` lasts. Errors are not cached. A query continues when its first caller disconnects, because
 * others may have joined.
 */
export function memoized<T>(engine: Engine, key: string, read: () => Promise<T>): Promise<T> {
  const known = knownOf(engine);
  if (!known) return read();
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

/** Results of a kind that one file keeps. */
const most_recent = 16;
const most_bytes = 32 * 1024 * 1024;
const recent = new WeakMap<Engine, Map<string, LRUCache<string, { result: unknown }>>>();

interface Recent<T> {
  /** Each kind has room of its own. */
  kind: string;
  /** Identifies the result among those of its kind. */
  key: string;
  /** How much memory a result takes, where that may be much. */
  bytesOf?: (result: T) => number;
}

/**
 * As `coalesced`, and the last results stay while the file is open: for what takes long, is small, and may have any number of keys.
 * Errors are not cached.
 */
export async function recentlyMade<T>(
  engine: Engine,
  { kind, key, bytesOf = () => 1 }: Recent<T>,
  make: () => Promise<T>,
): Promise<T> {
  if (!engine.isFrozen) return make();
  let kinds = recent.get(engine);
  if (!kinds) recent.set(engine, (kinds = new Map()));
  let known = kinds.get(kind);
  if (!known) kinds.set(kind, (known = new LRUCache({ max: most_recent, maxSize: most_bytes })));
  const found = known.get(key);
  if (found) return found.result as T;
  const result = await coalesced(engine, `recent ${kind} ${key}`, make);
  known.set(key, { result }, { size: Math.max(1, bytesOf(result)) });
  return result;
}
