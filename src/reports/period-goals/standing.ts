// Queries the days of a goal and the preceding weeks, and computes its progress.
import type { Row } from '#warehouse/engine.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { run } from '#warehouse/query/run.ts';
import { judgedBy } from '#warehouse/definitions/used.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import type { GoalKind, GoalTerms } from './goal.ts';
import { paceOf, type KnownDay, type Pace } from './pace.ts';
import { most_weeks } from './rhythm.ts';

const isOver = ({ state }: Row): boolean => state === 'complete' || state === 'settling';
const numberIn = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0);

/** The number that goals of a kind are about. */
export const reachedOf = (kind: GoalKind): { metric: string; measure: string } =>
  kind === 'chats' ? { metric: everyChat.id, measure: 'chats' } : judgedBy(kind);

/** In the account's own zone. Errors: Refused. */
export async function standingOf(goal: GoalTerms, context: QueryContext): Promise<Pace> {
  const { kind, group, amount, seconds } = goal;
  const { timezone } = context.account;
  const today = localDate(timezone, context.now);
  const begins = goal.from < today ? goal.from : today;
  const range = {
    from: dateOf(dayNumber(begins) - 7 * most_weeks),
    to: goal.to < today ? goal.to : today,
  };
  const filters = group === null ? {} : { group: [group] };
  const rowsOf = async (metric: string, target?: number | null): Promise<Row[]> => {
    const question = { ...range, timezone, filters, grain: 'day', ...(target == null ? {} : { target }) };
    return (await run(metric, question, context)).rows.filter(isOver);
  };
  const about = { from: goal.from, to: goal.to, amount, today };
  if (kind === 'chats') {
    const rows = await rowsOf(everyChat.id);
    const known = rows.map((row): [string, KnownDay] => [String(row.period), { n: numberIn(row, 'chats'), part: 0 }]);
    return paceOf({ ...about, isShare: false, isMost: false, known: new Map(known) });
  }
  const { metric, measure, basis, isMost = false } = judgedBy(kind);
  const counted = await rowsOf(basis.metric);
  const shares = new Map((await rowsOf(metric, seconds)).map((row) => [String(row.period), row]));
  const known = counted.map((row): [string, KnownDay] => {
    const [day, n] = [String(row.period), numberIn(row, basis.measure)];
    return [day, { n, part: Math.round(numberIn(shares.get(day), measure) * n) }];
  });
  return paceOf({ ...about, isShare: true, isMost, known: new Map(known) });
}
