// Local calendar days: arithmetic on YYYY-MM-DD and their bounds as instants in a zone.
import { Temporal } from 'temporal-polyfill';

const day_ms = 86_400_000;

// Plans name the same few thousand days millions of times: each is worked out once.
const numbers = new Map<string, number>();
const names = new Map<number, string>();
/** By zone and day. */
const ends = new Map<string, number>();
/** A source may name any day; a century has fewer. */
const most_days = 40_000;

/** Days since 1970-01-01; without a zone, so no clock change touches it. */
export function numberOf(day: string): number {
  let number = numbers.get(day);
  if (number === undefined) {
    if (numbers.size >= most_days) numbers.clear();
    numbers.set(day, (number = Date.parse(day) / day_ms));
  }
  return number;
}

function dayNumbered(number: number): string {
  let day = names.get(number);
  if (day === undefined) {
    if (names.size >= most_days) names.clear();
    names.set(number, (day = new Date(number * day_ms).toISOString().slice(0, 10)));
  }
  return day;
}

export const addDays = (day: string, days: number): string => dayNumbered(numberOf(day) + days);

/** Days of the range, both ends included; empty when `from` is after `to`. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let number = numberOf(from); number <= numberOf(to); number += 1) days.push(dayNumbered(number));
  return days;
}

/** The local day that holds the instant (Unix seconds). */
export const dayOf = (second: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(second * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();

/** First second after the local day (Unix seconds). */
export function endOf(day: string, zone: string): number {
  const key = `${zone} ${day}`;
  let end = ends.get(key);
  if (end === undefined) {
    if (ends.size >= most_days) ends.clear();
    const next = Temporal.PlainDate.from(day).add({ days: 1 });
    ends.set(key, (end = Math.floor(next.toZonedDateTime(zone).epochMilliseconds / 1000)));
  }
  return end;
}

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

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: string): number => ((numberOf(day) + 3) % 7) + 1;

/** First day of the month that holds the day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** Last day of the month that holds the day. */
export function endOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** First second of the local day and the first after it (Unix seconds). */
export const boundsOf = (day: string, zone: string): { first: number; last: number } => ({
  first: endOf(addDays(day, -1), zone),
  last: endOf(day, zone),
});
