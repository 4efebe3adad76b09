// Which columns an open file has: one that was published long ago has fewer than tables.ts names.
import type { Engine } from '../engine.ts';
import { memoized } from '../memoize.ts';

/** Names of columns by schema and table, such as `facts.chats`. */
export const columnsIn = (engine: Engine): Promise<ReadonlyMap<string, ReadonlySet<string>>> =>
  memoized(engine, 'columns', () => engine.columns());
