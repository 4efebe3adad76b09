// Local calendar days: arithmetic on YYYY-MM-DD and their bounds as instants in a zone.
import { Temporal } from 'temporal-polyfill';

export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** Days of the range, both ends included; empty when `from` is after `to`. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The local day that holds the instant (Unix seconds). */
export const dayOf = (second: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(second * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();

/** First second after the local day (Unix seconds). */
export const endOf = (day: string, zone: string): number =>
  Math.floor(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds / 1000);

/** Cuts days, newest first, into runs of consecutive days of at most `most`. */
export function chunks(days: readonly string[], most: number): { from: string; to: string }[] {
  const newestFirst = [...new Set(days)].sort().reverse();
  const runs: { from: string; to: string; length: number }[] = [];
  for (const day of newestFirst) {
    const run = runs.at(-1);
    if (run && run.length < most && addDays(day, 1) === run.from) {
      run.from = day;
      run.length += 1;
    } else runs.push({ from: day, to: day, length: 1 });
  }
  return runs.map(({ from, to }) => ({ from, to }));
}

export const weekdayOf = (day: string): number => Temporal.PlainDate.from(day).dayOfWeek;

/** First second of the local day and the first after it (Unix seconds). */
export const boundsOf = (day: string, zone: string): { first: number; last: number } => ({
  first: endOf(addDays(day, -1), zone),
  last: endOf(day, zone),
});
