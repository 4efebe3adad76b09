// What the statement of an answer may leave out: what the file has counted before, what it holds, what answer.ts adds.
import type { Engine } from '../engine.ts';
import { rollupIn, rollupTable, type Rollup } from './rollup.ts';
import { memoized } from '../memoize.ts';

export interface Shortcuts {
  kept: Rollup;
  /** The only account that has chats in the file, so that no condition needs to say which. */
  onlyAccount?: string;
  /** answer.ts fills the calendar and computes what the metric's `finish` gives. */
  isAnswered: boolean;
}

/** A statement that stands for itself, as in a view. */
export const none: Shortcuts = { kept: new Map(), isAnswered: false };

/** Those of a file, for statements whose rows go to answer.ts. */
export async function shortcutsOf(engine: Engine): Promise<Shortcuts> {
  const kept = await rollupIn(engine);
  if (kept.size === 0) return { kept, isAnswered: true };
  const accounts = await memoized(engine, 'accounts', () =>
    engine.query(`select distinct account from ${rollupTable}`),
  );
  const [only, ...others] = accounts.map(({ account }) => String(account));
  return { kept, isAnswered: true, ...(only !== undefined && others.length === 0 ? { onlyAccount: only } : {}) };
}
