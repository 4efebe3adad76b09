// A number to be explained: its cell, the question of its page, and the comparison of that page.
import type { ComparisonKind } from '../panel-queries.ts';
import { receiptQuery, type CellQuestion, type Cell } from '../cell.ts';

export interface Pointed {
  cell: Cell;
  asking: CellQuestion;
  compare: ComparisonKind;
}

/** The query of `/why/{metric}`: that of the number's receipt, plus the comparison if it is not the default. */
export function pointedQuery({ cell, asking, compare }: Pointed): URLSearchParams {
  const query = receiptQuery(cell, asking);
  if (compare !== 'previous') query.set('compare', compare);
  return query;
}
