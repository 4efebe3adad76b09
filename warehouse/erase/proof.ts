// The proof of an erasure: every metric of a kept snapshot is unchanged, by day, and by day and group.
import type { MetricDefinition } from '../definitions/metric.ts';
import { metrics } from '../definitions/metrics.ts';
import type { Queryable, Row } from '../engine.ts';
import { Refused, TooManyCells } from '../errors.ts';
import { dateOf, dayNumber, localDate, partsOfDays } from '../periods.ts';
import { contextWhenPublished, type WarehouseAccount, type QueryContext, type Snapshot } from '../query/context.ts';
import { businessHoursIn } from '../query/file-hours.ts';
import { localReader } from '../query/reader.ts';
import { run, type QueryAnswer } from '../query/run.ts';

/** What was compared in a snapshot. */
export interface ProofResult {
  metrics: number;
  /** Number of questions that both versions answered. */
  questions: number;
  /** Numbers in their answers. */
  cells: number;
  /** What differs, at most a few: nothing when the erasure is right. */
  differences: MetricDifference[];
}

interface MetricDifference {
  metric: string;
  account: string;
  split: readonly string[];
  /** The row as it was and as it would be, or `refused` with the sentence. */
  before: Row | null;
  after: Row | null;
}

/** Days in one question: more make more cells than an answer may have. */
const days_together = 92;
const most_told = 20;

/** `before` and `after` are the same snapshot. */
export async function compareMetrics(
  before: Snapshot,
  after: Snapshot,
  accounts: readonly WarehouseAccount[],
): Promise<ProofResult> {
  const answered = new Set<MetricDefinition>();
  const compared: ProofResult = { metrics: 0, questions: 0, cells: 0, differences: [] };
  for (const account of accounts) {
    const contexts = await Promise.all(
      [before, after].map((snapshot) => contextWhenPublished(localReader, snapshot, account)),
    );
    const { hours } = await businessHoursIn(before.engine, account.id);
    const asked = metrics.filter(({ archived }) => hours.length > 0 || !archived?.businessHours);
    for (const range of await rangesOf(before.engine, account, contexts[0]?.now ?? 0))
      for (const metric of asked)
        for (const split of [[], ['group']] as const)
          if (split.every((each) => metric.splits.includes(each)))
            for await (const outcomes of outcomesOf(metric, { ...range, split }, contexts))
              if (note(compared, outcomes, { metric: metric.id, account: account.id, split })) answered.add(metric);
  }
  return { ...compared, metrics: answered.size };
}

type Outcome = QueryAnswer | { refused: string };

/** A snapshot may lack a report by group, or know it in the zone of that time only: then both versions refuse alike. */
async function outcomeOf(...question: Parameters<typeof run>): Promise<Outcome> {
  try {
    return await run(...question);
  } catch (error) {
    if (!(error instanceof Refused) || error instanceof TooManyCells) throw error;
    return { refused: error.message };
  }
}

/** What both say; of a range with more cells than an answer may have, one part of it after the other. Errors: TooManyCells. */
async function* outcomesOf(
  metric: MetricDefinition,
  range: ProofRange & { split: readonly string[] },
  contexts: readonly QueryContext[],
): AsyncGenerator<Outcome[]> {
  const wanted = { ...range, grain: metric.grains.includes('day') ? 'day' : metric.grains[0] };
  const [first, last] = [dayNumber(range.from), dayNumber(range.to)];
  try {
    const outcomes: Outcome[] = [];
    for (const context of contexts) outcomes.push(await outcomeOf(metric.id, wanted, context));
    yield outcomes;
  } catch (error) {
    if (!(error instanceof TooManyCells) || first === last) throw error;
    const middle = Math.floor((first + last) / 2);
    yield* outcomesOf(metric, { ...range, to: dateOf(middle) }, contexts);
    yield* outcomesOf(metric, { ...range, from: dateOf(middle + 1) }, contexts);
  }
}

const rowsOf = (outcome: Outcome): readonly Row[] => ('refused' in outcome ? [outcome] : outcome.rows);

/** Adds to what was compared. False if there is nothing to compare, because both refuse alike. */
function note(
  compared: ProofResult,
  [before, after]: readonly Outcome[],
  where: Pick<MetricDifference, 'metric' | 'account' | 'split'>,
): boolean {
  if (!before || !after) return false;
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (isSame && 'refused' in before) return false;
  compared.questions += 1;
  compared.cells += rowsOf(before).reduce((sum, row) => sum + Object.keys(row).length, 0);
  if (isSame || compared.differences.length >= most_told) return true;
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const rows = Array.from({ length: Math.max(was.length, is.length) }, (_, place) => [
    was[place] ?? null,
    is[place] ?? null,
  ]);
  const [one = null, other = null] = rows.find(([left, right]) => JSON.stringify(left) !== JSON.stringify(right)) ?? [];
  compared.differences.push({ ...where, before: one, after: other });
  return true;
}

interface ProofRange {
  from: string;
  to: string;
}

/** From the first day with a chat or pull to the day of the snapshot. `now` in Unix seconds. */
async function rangesOf(
  engine: Queryable,
  { id, timezone, since }: WarehouseAccount,
  now: number,
): Promise<ProofRange[]> {
  const [found] = await engine.query(
    `select min(started_second) as first from facts.chats where account = ${engine.dialect.literal(id, 'text')}`,
  );
  const first = found?.first == null ? since : localDate(timezone, Number(found.first));
  return partsOfDays(first < since ? first : since, localDate(timezone, now), days_together);
}
