// From when to when an account has chats: what is laid over each other in time need not be laid where there is nothing.
import type { Ask } from './ask.ts';
import type { Engine, Row } from '../engine.ts';
import type { MetricDefinition } from '../definitions/metric.ts';
import { memoized } from '../memoize.ts';
import { dateOf, dayNumber, localDate, type Slot } from '../periods.ts';

/** Of all chats of the account, Unix seconds; nothing when it has none. */
async function extentOf(engine: Engine, account: string): Promise<{ first: number; last: number } | undefined> {
  const [row] = await memoized(engine, `extent ${account}`, () =>
    engine.query(
      'select min(started_second) as first, max(greatest(ended_second, started_second + 1)) as last\n' +
        'from facts.chats\nwhere account = $account',
      { account },
    ),
  );
  return row?.first == null ? undefined : { first: Number(row.first), last: Number(row.last) };
}

/** First and last day of the period that a local date lies in. */
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

/** What a metric of levels measures where nobody chats: in periods that its statement leaves out, and that no chat lies in. */
export function quietIn(metric: MetricDefinition): (slot: Slot) => Row | undefined {
  if (!metric.archived?.sweep || metric.reported) return () => undefined;
  const zeros = Object.fromEntries(Object.keys(metric.measures).map((name) => [name, 0]));
  // An hour that clocks leave out is no time at all.
  return (slot) => (slot.pieces().some(({ from, until }) => from < until) ? zeros : undefined);
}

/**
 * Whether a cell of a metric is one in which nothing happened, though a statement may have a row of it: of levels one over chats
 * has it and one over kept levels does not; of what some chats bring to, one over kept quarter hours has those of all chats.
 */
export function isQuiet(metric: MetricDefinition, row: Row): boolean {
  const isOfLevels = metric.archived?.sweep !== undefined;
  if (!isOfLevels && metric.archived?.brings === undefined) return false;
  return Object.keys(metric.measures).every((name) => !(metric.finish?.[name]?.(row) ?? row[name]));
}

/**
 * The question without the whole periods before the first chat and after the last one, where chats are laid over each
 * other: over forty years by hour of day each group and agent would else have its own empty line, for minutes and
 * gigabytes. In the periods left out everything is zero: `quietIn` gives their rows.
 */
export async function withinExtent(engine: Engine, metric: MetricDefinition, ask: Ask): Promise<Ask> {
  if (!metric.archived?.sweep || metric.reported || ask.grain === 'total') return ask;
  const extent = await extentOf(engine, ask.account);
  if (!extent) return ask;
  const first = periodAround(localDate(ask.timezone, extent.first), ask.grain).from;
  const last = periodAround(localDate(ask.timezone, extent.last), ask.grain).to;
  if (first > ask.to || last < ask.from) return ask;
  return { ...ask, from: first > ask.from ? first : ask.from, to: last < ask.to ? last : ask.to };
}
