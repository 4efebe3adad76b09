// Shortcuts for an answer's statement: precomputed counts, the extent of the data, and parts that answer.ts adds.
import type { Engine } from '../engine.ts';
import { lackingIn, type Lacking } from './bridges.ts';
import { levelsIn, noLevels, type Levels } from './levels.ts';
import { rollupIn, rollupTable, type Rollup } from './rollup.ts';
import { memoized } from '../memoize.ts';
import { ofOneGroup, type Reader } from './reader.ts';

export interface Shortcuts {
  /** Chats counted per quarter hour. */
  quarters: Rollup;
  /** Chats laid over each other, per quarter hour. */
  levels: Levels;
  /** Bridge columns that cannot be read. */
  lacking: Lacking;
  /** The reader sees chats of this group alone, and all of them. */
  oneGroup?: number;
  /** The accounts that have chats in the file, where they are known: a question about all of them need not say so. */
  present?: readonly string[];
  /** answer.ts fills the calendar and computes the metric's `finish`. */
  isAnswered: boolean;
}

/** For standalone statements, as in a view. */
export const none: Shortcuts = { quarters: new Map(), levels: noLevels, lacking: new Set(), isAnswered: false };

/** The shortcuts of a file for a reader, for statements whose rows go to answer.ts. */
export async function shortcutsOf(engine: Engine, reader: Reader): Promise<Shortcuts> {
  const oneGroup = ofOneGroup(reader);
  const known: Shortcuts = {
    ...{ quarters: await rollupIn(engine), levels: await levelsIn(engine) },
    ...{ lacking: await lackingIn(engine), isAnswered: true },
    ...(oneGroup === undefined ? {} : { oneGroup }),
  };
  if (known.quarters.size === 0) return known;
  const accounts = await memoized(engine, 'accounts', () =>
    engine.query(`select distinct account from ${rollupTable}`),
  );
  return { ...known, present: accounts.map(({ account }) => String(account)) };
}
