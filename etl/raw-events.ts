// The order in which the raw archive is played back: what was received when, and what may go together. Pure.
import { daysOf } from './load.ts';
import { archiveName, type ListUnit, type Unit } from './plan.ts';
import type { Moment, Reading } from './raw-readings.ts';

/** An answer came, for the first or the last time. */
export interface Event<U = Unit | ListUnit> extends Moment {
  reading: Reading<U>;
}

/** Questions that are loaded together, as in a pull. */
const most_together = 64;

/**
 * Each reading counts when it began and when it was last received; in between nothing of it changed. What failed counts
 * as often as it did, because failures in a row are counted.
 */
export function eventsOf(readings: readonly Reading[]): Event[] {
  return readings
    .flatMap((reading): Event[] => {
      const { times, first, last, outcome } = reading;
      const again = outcome.failure ? times - 1 : Math.min(1, times - 1);
      return [{ ...first, reading }, ...Array.from({ length: again }, () => ({ ...last, reading }))];
    })
    .sort((one, other) => one.at - other.at || order(one.pull_id, other.pull_id) || one.sequence - other.sequence);
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Events of one pull and moment, cut where a period would come twice: within a batch the later one would not replace it. */
export function* batchesOf(events: readonly Event[]): Generator<Event[]> {
  let batch: Event[] = [];
  let periods = new Set<string>();
  for (const event of events) {
    const first = batch[0];
    const own = periodsOf(event);
    const isSame = first === undefined || kindOf(first) === kindOf(event);
    if (!isSame || batch.length >= most_together || own.some((period) => periods.has(period))) {
      yield batch;
      batch = [];
      periods = new Set();
    }
    batch.push(event);
    for (const period of own) periods.add(period);
  }
  if (batch.length > 0) yield batch;
}

const kindOf = ({ at, pull_id, reading }: Event): string =>
  `${at} ${pull_id} ${reading.timezone} ${togetherOf(reading.unit)}`;

/** What is compared with the facts must find them written. */
const togetherOf = (unit: Unit | ListUnit): string =>
  unit.kind === 'list' ? 'list' : unit.kind === 'archive' && unit.isCompared ? 'compared' : 'unit';

/** All lists of one moment are one batch: they are loaded together anyway. */
function periodsOf({ reading: { unit } }: Event): string[] {
  if (unit.kind === 'list') return [];
  const whose =
    unit.kind === 'archive'
      ? archiveName(unit)
      : [unit.source, unit.asked.grain, unit.asked.split, unit.asked.split_value].join(' ');
  return daysOf(unit).map((day) => `${whose} ${day}`);
}

/** Whether the ledger says that the answer was loaded at that moment; `loaded` is what it says of that moment. */
export const isLoaded = (event: Event, loaded: ReadonlySet<string>): boolean => {
  const { unit } = event.reading;
  const names = unit.kind === 'list' ? [`account.${unit.list}`] : periodsOf(event);
  return names.some((name) => loaded.has(name));
};

/** The lists that the source gave at that moment, each once, in the order in which the pull asks for them. */
export const listsAt = (lists: readonly Reading<ListUnit>[], at: number): Reading<ListUnit>[] => [
  ...new Map(
    lists.filter(({ first, last }) => first.at <= at && at <= last.at).map((list) => [list.unit.path, list]),
  ).values(),
];
