// A number that somebody asks about: its cell, the question of its page, and with what that page compares.
import type { ComparisonKind } from '../panel-queries.ts';
import { receiptQuery, type CellQuestion, type Cell } from '../cell.ts';

export interface Pointed {
  cell: Cell;
  asking: CellQuestion;
  compare: ComparisonKind;
}

/** The query of `/why/{metric}`: that of the receipt of the same number, and the comparison where it is not the usual one. */
export function pointedQuery({ cell, asking, compare }: Pointed): URLSearchParams {
  const query = receiptQuery(cell, asking);
  if (compare !== 'previous') query.set('compare', compare);
  return query;
}
