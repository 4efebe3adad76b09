// What the statement of an answer may leave out: what the file has counted before, what it holds, what answer.ts adds.
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
  /** What of the bridges cannot be read. */
  lacking: Lacking;
  /** The reader sees chats of this group alone, and all of them. */
  oneGroup?: number;
  /** The only account that has chats in the file, so that no condition needs to say which. */
  onlyAccount?: string;
  /** answer.ts fills the calendar and computes what the metric's `finish` gives. */
  isAnswered: boolean;
}

/** A statement that stands for itself, as in a view. */
export const none: Shortcuts = { quarters: new Map(), levels: noLevels, lacking: new Set(), isAnswered: false };

/** Those of a file as the reader sees it, for statements whose rows go to answer.ts. */
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
  const [only, ...others] = accounts.map(({ account }) => String(account));
  return { ...known, ...(only !== undefined && others.length === 0 ? { onlyAccount: only } : {}) };
}
