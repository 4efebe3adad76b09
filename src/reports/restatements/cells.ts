// The cells of a metric as two snapshots know them, and which of the older ones have another value now.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import type { MetricDefinition, Split } from '#warehouse/definitions/metric.ts';
import { reportDays } from '#warehouse/read/pulled-days.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import type { ChangedPlace } from './reasons.ts';

export interface ChangedCell extends ChangedPlace {
  measure: string;
  was: number | null;
  is: number | null;
  /** Now minus then; null when one of them is. */
  difference: number | null;
}

/** The splits by which a metric is compared: as a whole, and by group, agent and currency if each cell has one value. */
export const shapesOf = ({ always = [], splits }: MetricDefinition): readonly (readonly Split[])[] =>
  always.length > 0
    ? [[]]
    : [
        [],
        ...(['group', 'agent', 'currency'] as const).filter((split) => splits.includes(split)).map((split) => [split]),
      ];

/** A snapshot asked as of the time when it was published. */
export interface AsPublished {
  context: QueryContext;
  /** State of the account's days, for cells that have no row: a group or agent that only the other snapshot has. */
  states: ReadonlyMap<string, string>;
}

/** The answer by day; nothing when the snapshot cannot be asked so. */
export async function answerOf(
  context: QueryContext,
  id: string,
  split: readonly Split[],
  days: { from: string; to: string },
): Promise<QueryAnswer | undefined> {
  try {
    return await run(id, { ...days, timezone: context.account.timezone, split }, context);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

export async function changedCells(
  metric: MetricDefinition,
  split: readonly Split[],
  older: AsPublished,
  newer: AsPublished,
  days: { from: string; to: string },
): Promise<ChangedCell[]> {
  const answers = await Promise.all([
    answerOf(older.context, metric.id, split, days),
    answerOf(newer.context, metric.id, split, days),
  ]);
  if (!answers[0] || !answers[1]) return [];
  const own = (['group', 'agent'] as const).find((name) => split.includes(name)) ?? 'account';
  const before = { ...answers[0], pulled: await pulledDays(older, metric, own, days) };
  const after = { ...answers[1], pulled: await pulledDays(newer, metric, own, days) };
  const by = [...new Set([...(metric.always ?? []), ...split])];
  const keyOf = (row: Row): string => JSON.stringify([row.period, ...by.map((name) => row[name] ?? null)]);
  const was = new Map(before.rows.map((row) => [keyOf(row), row]));
  const is = new Map(after.rows.map((row) => [keyOf(row), row]));
  const withheld = { ...before.not_given, ...after.not_given };
  const names = Object.keys(metric.measures).filter((name) => !metric.running?.includes(name) && !(name in withheld));
  const found: ChangedCell[] = [];
  for (const key of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const [one, other] = [was.get(key), is.get(key)];
    const row = (one ?? other) as Row;
    const period = String(row.period);
    const whose = own === 'account' ? '' : String(row[own] ?? '');
    if (!isPast(stateOf(one, older, period)) || !isKnown(stateOf(other, newer, period))) continue;
    if ((!one && !isPulled(before.pulled, whose, period)) || (!other && !isPulled(after.pulled, whose, period)))
      continue;
    const place = {
      period,
      split: by.join(',') || 'account',
      split_value: by.map((name) => row[name] ?? '').join(','),
    };
    for (const measure of names) {
      const [then, now] = [valueOf(metric, one, measure), valueOf(metric, other, measure)];
      // A group or agent that only one snapshot knows had no events in the other, whether it says null or 0.
      if (isSame(then, now) || ((!one || !other) && isSame(then ?? 0, now ?? 0))) continue;
      const difference = then === null || now === null ? null : now - then;
      found.push({ ...place, measure, was: then, is: now, difference });
    }
  }
  return found;
}

/** A split value without a row on that day: the day is as well known as the account's. */
const stateOf = (row: Row | undefined, { states }: AsPublished, period: string): string =>
  String(row?.state ?? states.get(period) ?? 'not_pulled');

/** A report contains nothing about groups or agents for which it was not pulled. */
const isPulled = (pulled: ReadonlySet<string> | undefined, whose: string, day: string): boolean =>
  !pulled || pulled.has(`${whose} ${day}`);

/** Whose days of the metric's report are there, as `<group or agent> <day>`; nothing for a metric without a report. */
async function pulledDays(
  { context }: AsPublished,
  { reported }: MetricDefinition,
  split: string,
  days: { from: string; to: string },
): Promise<ReadonlySet<string> | undefined> {
  if (!reported) return undefined;
  const pulled = await reportDays(context, reported.table, split, days);
  return new Set(pulled.map(({ split_value, day }) => `${split_value} ${day}`));
}

const isPast = (state: string): boolean => state === 'complete' || state === 'settling';
const isKnown = (state: string): boolean => isPast(state) || state === 'open';

function valueOf(metric: MetricDefinition, row: Row | undefined, measure: string): number | null {
  const value = row ? row[measure] : metric.measures[measure]?.empty;
  return typeof value === 'number' ? value : null;
}

/** Sums of fractions may differ in the last bits when rows are read in another order. */
function isSame(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
}
