// The order in which the raw archive is replayed: what was received when, and which answers may share a batch. Pure.
import { reports, weekdays } from '#contract/reports.ts';
import { addDays, daysBetween, weekdayOf } from '../days.ts';
import { archiveName, daysOf, type ListUnit, type PullUnit } from '../unit.ts';
import type { ReadingStamp, Reading } from './readings.ts';

/** An answer came, for the first or the last time. */
export interface ReadingEvent<U = PullUnit | ListUnit> extends ReadingStamp {
  reading: Reading<U>;
}

/** Answers that are written in one transaction; each page of chats is one. */
const most_together = 256;
const weightOf = ({ reading: { unit, usable } }: ReadingEvent): number => (unit.kind === 'archive' ? usable.length : 1);

/**
 * Each reading counts when it began and when it was last received; in between nothing of it changed. What failed counts
 * as often as it did, because failures in a row are counted.
 */
export function eventsOf(readings: readonly Reading[]): ReadingEvent[] {
  return readings
    .flatMap((reading): ReadingEvent[] => {
      const { times, first, last, outcome } = reading;
      const again = outcome.failure ? times - 1 : Math.min(1, times - 1);
      return [{ ...first, reading }, ...Array.from({ length: again }, () => ({ ...last, reading }))];
    })
    .sort((one, other) => one.at - other.at || order(one.pull_id, other.pull_id) || one.sequence - other.sequence);
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Answers that are written together, and the periods that they replace. */
interface EventBatch {
  batch: ReadingEvent[];
  periods: ReadonlySet<string>;
}

/** Events in order, split where a period would occur twice: within a batch, the later one would not replace it. */
export function* batchesOf(events: readonly ReadingEvent[]): Generator<EventBatch> {
  let batch: ReadingEvent[] = [];
  let periods = new Set<string>();
  let weight = 0;
  for (const event of events) {
    const first = batch[0];
    const own = periodsOf(event);
    const isSame = first === undefined || first.reading.timezone === event.reading.timezone;
    if (!isSame || weight >= most_together || own.some((period) => periods.has(period))) {
      yield { batch, periods };
      batch = [];
      periods = new Set();
      weight = 0;
    }
    batch.push(event);
    weight += weightOf(event);
    for (const period of own) periods.add(period);
  }
  if (batch.length > 0) yield { batch, periods };
}

/** The periods that an answer replaces; lists are written as they arrive. */
function periodsOf({ reading: { unit } }: ReadingEvent): string[] {
  if (unit.kind === 'list') return [];
  const whose =
    unit.kind === 'archive'
      ? archiveName(unit)
      : [unit.source, unit.asked.grain, unit.asked.split, unit.asked.split_value].join(' ');
  return daysNamedBy(unit).map((day) => `${whose} ${day}`);
}

/** An answer by weekday names the last four of them. */
function daysNamedBy(unit: PullUnit): string[] {
  if (unit.kind !== 'report' || reports[unit.report].keyed !== 'moment') return daysOf(unit);
  const weekday = new URLSearchParams(unit.path.split('?')[1]).get('weekday');
  return daysBetween(addDays(unit.to, -34), unit.to).filter((day) => weekdays[weekdayOf(day) - 1] === weekday);
}

/** Whether the ledger says that the answer was loaded at that moment; `loaded` holds its entries of that moment. */
export const isLoaded = (event: ReadingEvent, loaded: ReadonlySet<string>): boolean => {
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
