// What is asked of published files, asked of one that a test has just written.
import type { Store } from '#warehouse/engine.ts';

/** The same engine, as one of a published file. */
export const frozen = (engine: Store): Store =>
  new Proxy(engine, {
    get(target, name) {
      if (name === 'isFrozen') return true;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
