// The time range in which an account has chats: overlaps need not be computed outside of it.
import type { Ask } from './ask.ts';
import type { Engine, Row } from '../engine.ts';
import type { MetricDefinition } from '../definitions/metric.ts';
import { memoized } from '../memoize.ts';
import { dateOf, dayNumber, localDate, type Slot } from '../periods.ts';
import { accountsIn } from './asked-accounts.ts';
import { isOverTime } from './levels.ts';
import { asked } from './time-buckets.ts';

/** Over all chats of the account, Unix seconds; undefined without chats. */
async function extentOf(engine: Engine, account: string): Promise<{ first: number; last: number } | undefined> {
  const [row] = await memoized(engine, `extent ${account}`, () =>
    engine.query(
      'select min(started_second) as first, max(greatest(ended_second, started_second + 1)) as last\n' +
        `from facts.chats\nwhere account = ${engine.dialect.param('account', 'text')}`,
      { account },
    ),
  );
  return row?.first == null ? undefined : { first: Number(row.first), last: Number(row.last) };
}

/** The question with the instant up to which chats are known, where something is divided by time that has not passed. */
export function withinReached(metric: MetricDefinition, ask: Ask, reached: number | undefined): Ask {
  if (!metric.archived || !isOverTime(metric.archived) || reached === undefined) return ask;
  const { from, until } = asked(ask);
  return reached > from && reached < until ? { ...ask, reached } : ask;
}

/** First and last day of the period that contains a local date. */
function periodAround(date: string, grain: Ask['grain']): { from: string; to: string } {
  const day = dayNumber(date);
  if (grain === 'week') {
    // 1970 began on a Thursday.
    const monday = day - ((((day + 3) % 7) + 7) % 7);
    return { from: dateOf(monday), to: dateOf(monday + 6) };
  }
  if (grain !== 'month') return { from: date, to: date };
  const [year = 0, month = 0] = date.split('-').map(Number);
  return { from: `${date.slice(0, 7)}-01`, to: dateOf(Math.floor(Date.UTC(year, month, 0) / 86_400_000)) };
}

/** Values of a metric of levels where nobody chats: for periods missing from its statement, in which no chat lies. */
export function quietIn(metric: MetricDefinition): (slot: Slot) => Row | undefined {
  if (!metric.archived?.sweep || metric.reported) return () => undefined;
  const zeros = Object.fromEntries(Object.keys(metric.measures).map((name) => [name, 0]));
  // An hour skipped by a clock change has no duration.
  return (slot) => (slot.pieces().some(({ from, until }) => from < until) ? zeros : undefined);
}

/**
 * Whether nothing happened in a cell, even if the statement returns a row for it: for metrics of levels, statements over chats do and
 * those over stored levels do not; for metrics to which only some chats contribute, stored quarter hours include all chats.
 */
export function isQuiet(metric: MetricDefinition, row: Row): boolean {
  const isOfLevels = metric.archived?.sweep !== undefined;
  if (!isOfLevels && metric.archived?.brings === undefined) return false;
  return Object.keys(metric.measures).every((name) => !(metric.finish?.[name]?.(row) ?? row[name]));
}

/**
 * Restricts a question to the whole periods between the first and the last chat if chats are laid over each other: over forty years by
 * hour, each group and agent would otherwise have its own empty line, costing minutes and gigabytes. Everything is zero in the skipped
 * periods: `quietIn` provides their rows.
 */
export async function withinExtent(engine: Engine, metric: MetricDefinition, ask: Ask): Promise<Ask> {
  if (!metric.archived?.sweep || metric.reported || ask.grain === 'total') return ask;
  const extents = (await Promise.all(accountsIn(ask).map((id) => extentOf(engine, id)))).filter(
    (it) => it !== undefined,
  );
  if (extents.length === 0) return ask;
  const [begun, ended] = [Math.min(...extents.map((it) => it.first)), Math.max(...extents.map((it) => it.last))];
  const first = periodAround(localDate(ask.timezone, begun), ask.grain).from;
  const last = periodAround(localDate(ask.timezone, ended), ask.grain).to;
  if (first > ask.to || last < ask.from) return ask;
  return { ...ask, from: first > ask.from ? first : ask.from, to: last < ask.to ? last : ask.to };
}
