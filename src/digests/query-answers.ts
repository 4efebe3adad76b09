// Runs the saved queries of one document, one after the other, with the values that the document has for them.
import { valuesOn, type UsedValues } from '#dashboards/queries/page-values.ts';
import type { KeptResults } from './kept-results.ts';
import type { Scope } from './digest-questions.ts';
import type { QueryOrder, QueryOutcome, QueryRunner } from './saved-queries.ts';

/** Those of one document together: others wait for it. */
const most_ms = 300_000;
/** Cells of all of them together: a workbook is made in memory. */
const most_cells = 500_000;

export interface AnsweredQuery {
  order: QueryOrder;
  /** The values that it was run with. */
  used?: UsedValues;
  /** `late`: those before it took too long. */
  outcome?: QueryOutcome | { kind: 'late' };
  /** Rows that it gave and the document has no room for. */
  cut?: number;
}

interface QueryMeans {
  runner: QueryRunner | undefined;
  /** Null: it is a preview, which is run as often as it is asked for. */
  kept: KeptResults | null;
  snapshot: string;
  /** What they are run for, for the audit. */
  about: string;
  /** Milliseconds. */
  clock: () => number;
}

/** As pages have them: days and what the document is narrowed by. */
const choiceOf = ({ period, filters }: Pick<Scope, 'period' | 'filters'>) => ({
  ...{ from: period.from, to: period.to, group: filters.group.map(String) },
  ...{ agent: filters.agent, tag: filters.tag, variable: filters.variable },
});

/** Errors: Cancelled. */
export async function answeredQueries(
  orders: readonly QueryOrder[],
  scope: Pick<Scope, 'period' | 'filters'>,
  { runner, kept, snapshot, about, clock }: QueryMeans,
): Promise<AnsweredQuery[]> {
  const began = clock();
  const answered: AnsweredQuery[] = [];
  let room = most_cells;
  for (const order of orders) {
    const { run, left } = order;
    if (!run || left || !runner) {
      answered.push(left ? { order } : { order: { ...order, left: 'no_sql' } });
      continue;
    }
    const used = valuesOn(choiceOf(scope), run);
    const { asker, statement } = run;
    const { parameters } = used;
    const ask = () => runner.run({ asker, statement, parameters, snapshot, about });
    const isLate = clock() - began > most_ms;
    const outcome = isLate
      ? ({ kind: 'late' } as const)
      : await (kept ? kept.once([snapshot, statement, parameters, asker.role], ask) : ask());
    const fitted = withinRoom(outcome, room);
    if (fitted.outcome.kind === 'answered')
      room -= fitted.outcome.rows.length * Math.max(1, fitted.outcome.columns.length);
    answered.push({ order, used, ...fitted });
  }
  return answered;
}

/** As they are kept with a send: what was not run at the first time is not run later, so that the document stays the same. */
export const settledOrders = (answered: readonly AnsweredQuery[]): QueryOrder[] =>
  answered.map(({ order, outcome }) =>
    outcome?.kind === 'late' || outcome?.kind === 'busy' ? { ...order, left: outcome.kind } : order,
  );

function withinRoom<Outcome extends QueryOutcome | { kind: 'late' }>(outcome: Outcome, room: number) {
  if (outcome.kind !== 'answered') return { outcome, cut: 0 };
  const most = Math.max(1, Math.floor(room / Math.max(1, outcome.columns.length)));
  const { rows } = outcome;
  if (rows.length <= most) return { outcome, cut: 0 };
  return { outcome: { ...outcome, rows: rows.slice(0, most) }, cut: rows.length - most };
}
