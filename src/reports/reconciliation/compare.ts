// Cells of one check: each stored row of the report against the metric recomputed for the same place.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row } from '#warehouse/engine.ts';
import {
  deciding,
  numberOf,
  reasonFor,
  roundedTo,
  type ReconciledCell,
  type CellFacts,
  type ComparedPair,
} from './cell.ts';
import type { ReconciliationCheck } from './checks.ts';
import { isRemoved, type Explanations } from './explanations.ts';
import { withEdges } from './edges.ts';
import { recomputedSide, reportedSide, type ReconciledRange, type ReportedSplit, type statesOf } from './sides.ts';

/** The place of a cell and how it was pulled; `state` is that of its period. */
interface ComparedPlace {
  day: string;
  split: ReportedSplit;
  split_value: string;
  /** When the report was received, Unix seconds. */
  pulled_at: number;
  state: string | undefined;
}

export const knownOf = (
  { day, split, split_value, pulled_at, state }: ComparedPlace,
  explanations: Explanations,
): CellFacts => ({
  is_pulled: state !== undefined && state !== 'not_pulled' && state !== 'not_given',
  is_complete: state === 'complete',
  is_capped: explanations.capped.has(day),
  is_changed_after: (explanations.changed.get(day) ?? 0) > pulled_at,
  is_agent_removed: isRemoved(explanations, split, split_value),
});

export async function compareCheck(
  context: QueryContext,
  check: ReconciliationCheck,
  split: ReportedSplit,
  grain: 'day' | 'hour',
  range: ReconciledRange,
  explanations: Explanations,
  statesBy: ReturnType<typeof statesOf>,
): Promise<ReconciledCell[]> {
  const reported = await reportedSide(context, { table: check.table }, split, grain, range);
  const kept = check.where ? await reportedSide(context, check, split, grain, range) : reported;
  const { rows: recomputed, states } = await recomputedSide(context, check, split, grain, range, statesBy);
  const cells = [...reported].map(([place, stored]): ReconciledCell => {
    const about = stored[0] ?? {};
    const pairs = pairsOf(check, kept.get(place) ?? [], recomputed.get(place) ?? []);
    const shown = deciding(pairs) ?? {
      measure: check.numbers[0]?.measure ?? '',
      reported: 0,
      recomputed: 0,
      digits: null,
    };
    const ours = roundedTo(shown.recomputed, shown.digits);
    const where: ComparedPlace = {
      day: String(about.day),
      ...{ split, split_value: String(about.split_value), state: states.get(String(about.period)) },
      pulled_at: Date.parse(String(about.pulled_at)) / 1000,
    };
    return {
      ...{ account: range.account, metric: check.metric, timezone: range.timezone, grain, split },
      ...{ split_value: where.split_value, period: String(about.period), measure: shown.measure },
      ...{ reported: shown.reported, recomputed: ours },
      difference: shown.reported === null || ours === null ? null : shown.reported - ours,
      reason:
        check.table === 'goals' && explanations.goalless.has(where.day)
          ? 'not_pulled'
          : reasonFor(pairs, {
              ...knownOf(where, explanations),
              may_lack_chats: check.table === 'goals' && explanations.late_sales.has(where.day),
            }),
    };
  });
  return withEdges(cells, explanations.bordered);
}

/** Numbers of one place on both sides; with `by`, of every currency that either side names. */
function pairsOf(check: ReconciliationCheck, stored: readonly Row[], recomputed: readonly Row[]): ComparedPair[] {
  const { by } = check;
  if (!by) return check.numbers.map((number) => pairOf(number, number.measure, stored[0], recomputed[0]));
  const sold = recomputed.filter((row) => Number(row.sales_count ?? 0) > 0);
  const named = [...new Set([...stored, ...sold].map((row) => String(row[by])))].sort();
  return named.flatMap((name) => {
    const [theirs, ours] = [stored, sold].map((rows) => rows.find((row) => row[by] === name));
    return check.numbers.map((number) => pairOf(number, `${number.measure}:${name}`, theirs, ours));
  });
}

/** Where the metric has no row nothing happened: a count is 0 there, a mean null; the same for a currency in the report. */
function pairOf(
  { measure: name, column, digits }: ReconciliationCheck['numbers'][number],
  measure: string,
  theirs: Row | undefined,
  ours: Row | undefined,
): ComparedPair {
  const nothing = digits === null || name === 'hours' || name === 'value' ? 0 : null;
  return {
    measure,
    digits,
    reported: theirs ? numberOf(theirs[column]) : nothing,
    recomputed: ours ? (numberOf(ours[name]) ?? nothing) : nothing,
  };
}
