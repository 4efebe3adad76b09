// A question split by account, answered by each account for itself: where the source's reports of each are needed.
import type { MetricDefinition } from '../definitions/metric.ts';
import type { Row } from '../engine.ts';
import { Refused } from '../errors.ts';
import type { Ask, AskInput } from './ask.ts';
import type { PooledContext } from './pooled-context.ts';
import { run, type QueryAnswer } from './run.ts';

interface Own {
  id: string;
  answer?: QueryAnswer;
  refused?: Refused;
}

/** By period, then by account, each account's rows as it gave them. */
function rowsOf(answers: readonly Own[], rowsIn: (answer: QueryAnswer) => readonly Row[]): Row[] {
  const rows = answers.flatMap(({ id, answer }) =>
    answer
      ? rowsIn(answer).map(({ period, ...row }) => ({
          ...(period === undefined ? {} : { period }),
          account: id,
          ...row,
        }))
      : [],
  );
  const places = new Map(answers.map(({ id }, place) => [id, place]));
  const placeOf = ({ account }: Row): number => places.get(String(account)) ?? 0;
  return rows.sort((one, other) => {
    const [first, second] = [String(one.period ?? ''), String(other.period ?? '')];
    return first === second ? placeOf(one) - placeOf(other) : first < second ? -1 : 1;
  });
}

/** Errors: Refused, where no account can answer; those that cannot are named beside the others. */
export async function answersOfEach(
  metric: MetricDefinition,
  wanted: AskInput,
  ask: Ask,
  { members }: PooledContext,
): Promise<QueryAnswer> {
  const split = (wanted.split ?? []).filter((name) => name !== 'account');
  const answers = await Promise.all(
    members.map(async (context): Promise<Own> => {
      const { id } = context.account;
      try {
        return { id, answer: await run(metric.id, { ...wanted, split, timezone: ask.timezone }, context) };
      } catch (error) {
        if (error instanceof Refused) return { id, refused: error };
        throw error;
      }
    }),
  );
  const found = answers.flatMap(({ answer }) => answer ?? []);
  const refusals = answers.flatMap(({ id, refused }) => (refused ? [{ id, refused }] : []));
  const [first] = found;
  if (!first) throw refusals[0]?.refused ?? new Error('a question of no account');
  const { account, pool = [] } = ask;
  const { state, compare, not_given: _, ...same } = first;
  const answer: QueryAnswer = { ...same, account, split: ask.split, rows: rowsOf(answers, ({ rows }) => rows) };
  if (answer.rows.length === 0 && state !== undefined) answer.state = state;
  const reasons = answers.flatMap(({ id, answer }) =>
    Object.entries(answer?.not_given ?? {}).map(([name, why]) => [name, `${id}: ${why}`] as const),
  );
  if (reasons.length > 0)
    answer.not_given = Object.fromEntries(
      [...Map.groupBy(reasons, ([name]) => name)].map(([name, its]) => [name, its.map(([, why]) => why).join('; ')]),
    );
  answer.accounts = pool;
  if (refusals.length > 0) answer.notes = refusals.map(({ id, refused }) => `${id} is left out: ${refused.message}`);
  if (compare) {
    const compares = found.flatMap((its) => its.compare ?? []);
    const to =
      compares
        .map((its) => its.to)
        .sort()
        .at(-1) ?? compare.to;
    const until = compares.every((its) => its.until !== undefined)
      ? compares
          .flatMap((its) => its.until ?? [])
          .sort()
          .at(-1)
      : undefined;
    answer.compare = { from: compare.from, to, rows: rowsOf(answers, (its) => its.compare?.rows ?? []) };
    if (answer.compare.rows.length === 0 && compare.state !== undefined) answer.compare.state = compare.state;
    if (until !== undefined) answer.compare.until = until;
  }
  return answer;
}
