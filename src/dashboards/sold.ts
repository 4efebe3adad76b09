// Sales in a currency: of one that has no row nothing was sold, where the range is known.
import { figure, numberOf, type AnswerRow, type State } from './answer.ts';

/** What was sold adds up to zero; a share of chats does so only where there were any. */
const sums: readonly string[] = ['value', 'sales_count'];

const isOfRange = (state: State | undefined): state is State =>
  state !== undefined && ['complete', 'settling', 'open', 'not_pulled'].includes(state);

/**
 * The row of a currency: the one that was `found`, or one of zero where the other rows, or the range itself, say that it is known. `range`: all rows
 * of the period. Undefined: nobody knows.
 */
export function soldRow(
  range: { rows?: AnswerRow[] | undefined; state?: State | undefined } | undefined,
  found: AnswerRow | undefined,
  measure: string,
): AnswerRow | undefined {
  if (found || !range) return found;
  const other = range.rows?.find(({ state }) => isOfRange(state));
  if (other) return { state: other.state, [measure]: numberOf(figure({}, other, measure)) === null ? null : 0 };
  return isOfRange(range.state) && sums.includes(measure) ? { state: range.state, [measure]: 0 } : undefined;
}
