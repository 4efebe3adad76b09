// How long a day goes on changing after its end: how many chats there were, how fast they were answered and how long visitors queued
// for a day; ratings, tags and goals as long as was set, else as was measured from the ledger for each source, else seven days.
import type { QueryContext } from './context.ts';
import type { Dialect } from '../dialect.ts';
import type { Engine, Queryable } from '../engine.ts';
import type { Aspect, MetricDefinition } from '../definitions/metric.ts';
import type { Ask } from './ask.ts';
import { columnsIn } from './file-columns.ts';
import { chatsByTag, metrics } from '../definitions/metrics.ts';
import { defaultSettlingDays, settlingDaysSet } from '../ledger/pulls.ts';
import { memoized } from '../memoize.ts';
import { dayNumber, range } from '../periods.ts';

export interface Settling {
  /** Days after its end during which a period is settling. */
  days: number;
  /** False: somebody has set the days, or the history is too short and they are the default. */
  measured: boolean;
}

/** For what is complete when the chat ends; the chat may have begun before midnight. */
const promptDays = 1;
/** Parts of a chat that may follow after its end. */
const late: readonly Aspect[] = ['rating', 'tags', 'goals'];
const mostDays = 30;
/** Days of history that a measurement needs, and the newest that it looks at. */
const leastHistory = 30;
const longestHistory = 400;
const daySeconds = 86_400;

/** The ledger's history of one local day of a source. Unix seconds. */
export interface DayHistory {
  /** When the local day ended. */
  ended: number;
  first_pulled: number;
  last_pulled: number;
  last_changed: number;
}

/**
 * The age at which 99 of 100 days had changed for the last time, in whole days; undefined if fewer than 30 days are usable. A day first
 * pulled more than a day after its end (backfill) is not usable, because earlier changes were not observed. Neither is a day that was not
 * asked again after it had settled.
 */
export function measure(history: readonly DayHistory[]): number | undefined {
  const ages = history
    .filter(({ ended, first_pulled }) => first_pulled <= ended + daySeconds)
    .filter(({ ended, last_pulled }) => last_pulled >= ended + defaultSettlingDays * daySeconds)
    .map(({ ended, last_changed }) => (last_changed - ended) / daySeconds)
    .sort((one, other) => one - other);
  if (ages.length < leastHistory) return undefined;
  const age = ages[Math.ceil(ages.length * 0.99) - 1] ?? 0;
  return Math.min(mostDays, Math.max(1, Math.ceil(age)));
}

/** Sources with days in the ledger, and the measured time of each; undefined: history too short. */
type MeasuredDays = ReadonlyMap<string, number | undefined>;

const select = ({ param, second }: Dialect): string =>
  `select source, timezone, day, ${second('first_pulled_at')} as first_pulled, ${second('pulled_at')} as last_pulled,` +
  ` ${second('changed_at')} as last_changed\nfrom ledger.periods\nwhere account = ${param('account', 'text')}\n` +
  "  and state = 'pulled'\n  and grain = 'day'\n  and split = 'account'\norder by day";

async function measureSources(engine: Queryable, account: string): Promise<MeasuredDays> {
  const bySource = new Map<string, DayHistory[]>();
  const ends = new Map<string, number>();
  const rows = await engine.query(select(engine.dialect), { account });
  const newest = dayNumber(String(rows.at(-1)?.day ?? '2000-01-01'));
  for (const row of rows) {
    const day = String(row.day);
    const zone = String(row.timezone);
    if (dayNumber(day) <= newest - longestHistory) continue;
    const name = `${zone} ${day}`;
    const ended = ends.get(name) ?? range(zone, day, day).until;
    ends.set(name, ended);
    const history = bySource.get(String(row.source)) ?? [];
    history.push({
      ended,
      first_pulled: Number(row.first_pulled),
      last_pulled: Number(row.last_pulled),
      last_changed: Number(row.last_changed),
    });
    bySource.set(String(row.source), history);
  }
  return new Map([...bySource].map(([source, history]) => [source, measure(history)]));
}

/** A metric settles as its slowest source; one that looks at later days too (a next chat) settles that much later. */
function settlingFor(
  { archived, reported, changedBy }: MetricDefinition,
  measured: MeasuredDays,
  set: number | null,
): Settling {
  const isPrompt = changedBy?.every((aspect) => !late.includes(aspect)) === true;
  const sources = [archived && 'archive', reported?.table, reported?.beside].filter((source) => source !== undefined);
  const known = sources.filter((source) => measured.has(source));
  // A chat settles promptly here, whatever comes to it later; a report of visitors without a chat, as was measured.
  const waited = (isPrompt ? known.filter((source) => source !== 'archive') : known).map((it) => measured.get(it));
  const isKnown = (days: readonly (number | undefined)[]): days is number[] =>
    days.length > 0 && days.every((it) => it !== undefined);
  const found = isKnown(waited) ? Math.max(...waited) : isPrompt ? promptDays : defaultSettlingDays;
  const isSet = set !== null && !isPrompt;
  return {
    days: Math.min(mostDays, (isSet ? set : found) + (archived?.nextWithin ?? 0)),
    measured: !isSet && isKnown(known.map((source) => measured.get(source))),
  };
}

/** Null: not set, or published by a program that knew no such setting. */
async function daysSet(engine: Engine, account: string): Promise<number | null> {
  const isKnown = (await columnsIn(engine)).get('ledger.pulls')?.has('settling_days') === true;
  return isKnown ? settlingDaysSet(engine, account) : null;
}

/** Settling time by metric id; measured once per snapshot, since a snapshot never changes. */
export function settlingOf(engine: Engine, account: string): Promise<ReadonlyMap<string, Settling>> {
  return memoized(engine, `settling ${account}`, async () => {
    const [measured, set] = [await measureSources(engine, account), await daysSet(engine, account)];
    return new Map(metrics.map((metric) => [metric.id, settlingFor(metric, measured, set)]));
  });
}

/** Days after its end during which a period of the metric is settling. */
export function settlingDaysOf(
  { settling }: Pick<QueryContext, 'settling'>,
  metric: string,
  { split, filters }: Pick<Ask, 'split' | 'filters'>,
): number {
  const daysOf = (id: string): number => settling.get(id)?.days ?? defaultSettlingDays;
  // Which chats have a tag settles as tags do.
  const isByTag = split.includes('tag') || filters.tag !== undefined;
  return isByTag ? Math.max(daysOf(metric), daysOf(chatsByTag.id)) : daysOf(metric);
}

/** The default before anything is published. */
export const unmeasured: Settling = { days: defaultSettlingDays, measured: false };
