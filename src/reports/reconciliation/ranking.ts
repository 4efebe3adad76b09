// Rankings: a cell is one day of the account or a group, in which all agents must appear with the same figures.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row } from '#warehouse/engine.ts';
import { reportDays } from '#warehouse/read/pulled-days.ts';
import { run } from '#warehouse/query/run.ts';
import { deciding, numberOf, reasonFor, type ReconciledCell, type ComparedPair } from './cell.ts';
import type { ReconciliationCheck } from './checks.ts';
import { knownOf } from './compare.ts';
import type { Explanations } from './explanations.ts';
import { placeOf, reportedSide, type ReconciledRange, type ReportedSplit, type statesOf } from './sides.ts';

/** The pulled days, with or without rated agents, are cells. */
export async function rankingCells(
  context: QueryContext,
  check: ReconciliationCheck,
  split: ReportedSplit,
  range: ReconciledRange,
  explanations: Explanations,
  statesBy: ReturnType<typeof statesOf>,
): Promise<ReconciledCell[]> {
  const { metric, table } = check;
  const reported = await reportedSide(context, check, split, 'day', range);
  const states = await statesBy('day');
  const pulled = await reportDays(context, table, split, range);
  const values = [...new Set(pulled.map(({ split_value }) => split_value))];
  const recomputed = new Map<string, Row[]>();
  for (const value of values) {
    const { account: _, ...asked } = range;
    const question = { ...asked, grain: 'day', filters: split === 'group' ? { group: [Number(value)] } : {} };
    const { rows } = await run(metric, question, context);
    for (const [period, ranked] of Map.groupBy(rows, (row) => String(row.period)))
      recomputed.set(placeOf(period, value), ranked);
  }
  return pulled.map(({ day, split_value, pulled_at }) => {
    const place = placeOf(day, split_value);
    const pairs = agentPairs(check, reported.get(place) ?? [], recomputed.get(place) ?? []);
    const about = knownOf({ day, split, split_value, pulled_at, state: states.get(day) }, explanations);
    const shown = deciding(pairs);
    const [theirs, ours] = [shown?.reported ?? null, shown?.recomputed ?? null];
    return {
      ...{ account: range.account, metric, timezone: range.timezone, grain: 'day', split, split_value },
      ...{ period: day, measure: shown?.measure ?? 'total', reported: theirs, recomputed: ours },
      difference: theirs === null || ours === null ? null : theirs - ours,
      reason: reasonFor(pairs, about),
    };
  });
}

/** Every figure of every agent that either side names; an agent whom one side does not name has nulls there. */
function agentPairs(
  { numbers }: ReconciliationCheck,
  reported: readonly Row[],
  recomputed: readonly Row[],
): ComparedPair[] {
  const [theirs, ours] = [reported, recomputed].map((rows) => new Map(rows.map((row) => [String(row.agent), row])));
  const agents = [...new Set([...(theirs?.keys() ?? []), ...(ours?.keys() ?? [])])].sort();
  return agents.flatMap((agent) =>
    numbers.map(({ measure, column, digits }) => ({
      measure: `${measure}:${agent}`,
      reported: numberOf(theirs?.get(agent)?.[column]),
      recomputed: numberOf(ours?.get(agent)?.[measure]),
      digits,
    })),
  );
}
