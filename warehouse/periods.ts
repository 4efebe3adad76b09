// The calendar of a question: every cell of the answer, its label and the real time it covers.
import type { Grain, LocalPart } from './dialect.ts';
import { stretches, type OffsetSpan } from './zone.ts';

/** Real time, Unix seconds, `until` not included. Empty (from = until) for an hour that a clock change skipped. */
export interface Piece {
  from: number;
  until: number;
}

/** One cell of the calendar: the labels it has and the real time that belongs to it. */
export interface Slot {
  readonly period?: string;
  readonly weekday?: string;
  readonly hour_of_day?: string;
  /** Its pieces in order, generated on demand; with `second`, only those that end after it. */
  pieces(second?: number): Piece[];
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const daySeconds = 86_400;

/** The days that there are: one outside is mistyped. */
export const first_day = '2000-01-01';
export const last_day = '2100-12-31';

/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** `YYYY-MM-DD` of days since 1970-01-01. */
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Whether it is written as `YYYY-MM-DD`, and there is such a day. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(dayNumber(text)) && dateOf(dayNumber(text)) === text;

const instant = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970 of an instant as `2026-11-01T08:00:00Z` or with `+01:00`; NaN: it is none, also on a day that there is not. */
export function millisecondsOf(text: string): number {
  const day = instant.exec(text)?.[1];
  return day !== undefined && isDate(day) ? Date.parse(text) : NaN;
}

/** The local date in a zone at a Unix second. */
export function localDate(zone: string, second: number): string {
  const stretch = stretches(zone, second, second + 1)[0];
  return dateOf(Math.floor((second + (stretch?.offset ?? 0)) / daySeconds));
}

/** Seconds that the clocks of a zone show past midnight at a Unix second. */
export function clockAt(zone: string, second: number): number {
  const stretch = stretches(zone, second, second + 1)[0];
  const local = second + (stretch?.offset ?? 0);
  return local - Math.floor(local / daySeconds) * daySeconds;
}

/** The Unix second at which clocks show a time of a local date: the first where they do so twice, the change where never. */
export function secondAt(zone: string, date: string, clock: number): number {
  const local = dayNumber(date) * daySeconds + clock;
  return piecesOf(local, local + 1, stretches(zone, local - 2 * daySeconds, local + 2 * daySeconds))[0]?.from ?? local;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** ISO week of a day: the week belongs to the year that its Thursday is in. */
export function isoWeekOf(day: number): { year: number; week: number } {
  const thursday = day + 3 - ((day + 3) % 7);
  const year = new Date(thursday * 86_400_000).getUTCFullYear();
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1) / 86_400_000) / 7) + 1 };
}

/** The Monday of an ISO week: the fourth of January is always in the first one. */
export function mondayOf(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4) / 86_400_000;
  return fourth - ((fourth + 3) % 7) + (week - 1) * 7;
}

function weekLabel(day: number): string {
  const { year, week } = isoWeekOf(day);
  return `${year}-W${two(week)}`;
}

/** Label of the period that contains a day; hours have labels of their own. */
function labelOf(day: number, grain: Grain): string | undefined {
  if (grain === 'total') return undefined;
  if (grain === 'week') return weekLabel(day);
  const date = dateOf(day);
  return grain === 'month' ? date.slice(0, 7) : date;
}

/** Real time of the local stretch [from, until), both in local seconds since 1970. Skipped: one empty piece. */
function piecesOf(from: number, until: number, zone: readonly OffsetSpan[]): Piece[] {
  const pieces: Piece[] = [];
  let skippedAt = 0;
  for (const stretch of zone) {
    const start = Math.max(from, stretch.from + stretch.offset);
    const end = Math.min(until, stretch.until + stretch.offset);
    if (start < end) pieces.push({ from: start - stretch.offset, until: end - stretch.offset });
    else if (stretch.from + stretch.offset >= until && skippedAt === 0) skippedAt = stretch.from;
  }
  return pieces.length > 0 ? pieces : [{ from: skippedAt, until: skippedAt }];
}

/** The days from `from` to `to`, both included, in parts of at most `most_days`, oldest first. */
export function partsOfDays(from: string, to: string, most_days: number): { from: string; to: string }[] {
  const last = dayNumber(to);
  const parts = [];
  for (let first = dayNumber(from); first <= last; first += most_days)
    parts.push({ from: dateOf(first), to: dateOf(Math.min(first + most_days - 1, last)) });
  return parts;
}

/** The real time of local dates `from` to `to`, both included: Unix seconds. */
export function range(zone: string, from: string, to: string): Piece {
  const first = dayNumber(from) * daySeconds;
  const last = (dayNumber(to) + 1) * daySeconds;
  const known = stretches(zone, first - 2 * daySeconds, last + 2 * daySeconds);
  const start = piecesOf(first, first + daySeconds, known)[0];
  const end = piecesOf(last - daySeconds, last, known).at(-1);
  return { from: start?.from ?? first, until: end?.until ?? last };
}

/** Puts a piece behind others; one that continues the last becomes part of it. */
function add(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last && last.until === piece.from) last.until = piece.until;
  else pieces.push({ ...piece });
}

/** Local days of a slot, and the part of each that belongs to it. */
interface PeriodPart {
  /** Days since 1970, both included. */
  first: number;
  last: number;
  /** Only every seventh day, from the first. */
  isWeekly: boolean;
  /** Only this hour of each day. */
  hour?: number;
}

/** Zones are at most 14 hours from UTC, and once shifted by 24: local days lie within two days of the same UTC day. */
const widest = 2 * daySeconds;

function piecesIn({ first, last, isWeekly, hour }: PeriodPart, zone: readonly OffsetSpan[], second: number): Piece[] {
  if (!isWeekly && hour === undefined) {
    const merged: Piece[] = [];
    for (const piece of piecesOf(first * daySeconds, (last + 1) * daySeconds, zone)) add(merged, piece);
    return merged.filter(({ until }) => until > second);
  }
  const pieces: Piece[] = [];
  const step = isWeekly ? 7 : 1;
  const skipped = Math.floor((second - widest - first * daySeconds) / (step * daySeconds));
  let at = 0;
  for (let day = first + Math.max(0, skipped) * step; day <= last; day += step) {
    const start = day * daySeconds + (hour ?? 0) * 3600;
    while ((zone[at]?.until ?? Infinity) < start - widest) at++;
    const found = piecesOf(start, start + (hour === undefined ? daySeconds : 3600), zone.slice(at, at + 4));
    for (const piece of found) if (piece.until > second) add(pieces, piece);
  }
  return pieces;
}

/** Days since 1970 of the periods from `first` to `last`, cut to these days; hours are parts of their day. */
function* spans(first: number, last: number, grain: Grain): Generator<[first: number, last: number]> {
  for (let day = first; day <= last;) {
    const end = Math.min(last, lastDayOf(day, last, grain));
    yield [day, end];
    day = end + 1;
  }
}

function lastDayOf(day: number, last: number, grain: Grain): number {
  if (grain === 'total') return last;
  if (grain === 'week') return day + 6 - ((day + 3) % 7);
  if (grain !== 'month') return day;
  const date = new Date(day * 86_400_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 86_400_000 - 1;
}

/** The number of cells in `slots`; as cheap for forty years as for a day. */
export function slotCount(from: string, to: string, grain: Grain, parts: readonly LocalPart[]): number {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const hours = grain === 'hour' || parts.includes('hour_of_day') ? 24 : 1;
  if (grain === 'hour' || grain === 'day') return (last - first + 1) * hours;
  let days = 0;
  for (const [start, end] of spans(first, last, grain))
    days += parts.includes('weekday') ? Math.min(7, end - start + 1) : 1;
  return days * hours;
}

/**
 * Every cell of the local dates `from` to `to` at a grain, split by the given parts of local time, in order of time. Not stored: a
 * calendar of forty years by hour would be larger than the data.
 */
export function* slots(
  zone: string,
  from: string,
  to: string,
  grain: Grain,
  parts: readonly LocalPart[],
): Generator<Slot> {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const known = stretches(zone, first * daySeconds - widest, (last + 1) * daySeconds + widest);
  const byWeekday = parts.includes('weekday');
  const byHour = grain === 'hour' || parts.includes('hour_of_day');
  for (const [start, end] of spans(first, last, grain)) {
    const days = byWeekday ? Math.min(start + 6, end) : start;
    const label = labelOf(start, grain);
    for (let day = start; day <= days; day++) {
      const weekday = byWeekday ? { weekday: weekdays[(day + 3) % 7] ?? '' } : {};
      const isWeekly = byWeekday && end > start;
      for (let hour = 0; hour < (byHour ? 24 : 1); hour++) {
        const part: PeriodPart = {
          first: day,
          last: isWeekly || !byWeekday ? end : day,
          isWeekly,
          ...(byHour ? { hour } : {}),
        };
        yield {
          ...(label === undefined ? {} : { period: grain === 'hour' ? `${label} ${two(hour)}:00` : label }),
          ...weekday,
          ...(parts.includes('hour_of_day') ? { hour_of_day: two(hour) } : {}),
          pieces: (second = -Infinity) => piecesIn(part, known, second),
        };
      }
    }
  }
}
