// Saved queries on a board: named there as `query/…`, and run by whoever reads it.
import type { BoardLayout, Placed } from './boards.ts';
import { boardRemarks } from './board-words.ts';

const prefix = 'query/';

export const queryPanel = (id: string): string => prefix + id;

/** The saved query that a panel names. */
export const queryNamed = ({ panel }: Pick<Placed, 'panel'>): string | undefined =>
  panel.startsWith(prefix) ? panel.slice(prefix.length) : undefined;

export const querySizes = ['half', 'full'] as const;

/** How many stand on a board. */
export const queriesOn = ({ panels }: Pick<BoardLayout, 'panels'>): number =>
  panels.filter((one) => queryNamed(one) !== undefined).length;

/** What shows a board without them: it would show to all its readers what one of them may ask. */
type WithoutQueries = 'document' | 'link' | 'screen';

/** The sentence in their place; none where there are none. */
export const queriesLeftOut = (count: number, from: WithoutQueries): string[] =>
  count > 0 ? [boardRemarks.queries(count, boardRemarks.without[from])] : [];
