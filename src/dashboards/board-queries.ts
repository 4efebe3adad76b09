// Saved queries on a board: named there as `query/…`, and run by whoever reads it.
import type { BoardLayout, Placed } from './boards.ts';
import { words } from './words.ts';

const prefix = 'query/';

export const queryPanel = (id: string): string => prefix + id;

/** The saved query that a panel names. */
export const queryNamed = ({ panel }: Pick<Placed, 'panel'>): string | undefined =>
  panel.startsWith(prefix) ? panel.slice(prefix.length) : undefined;

export const querySizes = ['half', 'full'] as const;

/** What a document of a board leaves out: it would show to all its readers what one of them may ask. */
export function queriesLeftOut({ panels }: Pick<BoardLayout, 'panels'>): string[] {
  const count = panels.filter((one) => queryNamed(one) !== undefined).length;
  return count > 0 ? [words.board.queries(count)] : [];
}
