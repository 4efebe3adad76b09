// The calendar of a question: every cell that an answer has to have, its labels and the real time it stands for.
import type { Grain, LocalPart } from './dialect.ts';
import { stretches, type Stretch } from './zone.ts';

/** Real time, Unix seconds, `until` not included. Empty (from = until) for an hour that a clock change skipped. */
export interface Piece {
  from: number;
  until: number;
}

/** One cell of the calendar: the labels it has and the pieces of real time that belong to it, in order. */
export interface Slot {
  period?: string;
  weekday?: string;
  hour_of_day?: string;
  pieces: Piece[];
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const daySeconds = 86_400;

/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** `YYYY-MM-DD` of days since 1970-01-01. */
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** The local date in a zone at a Unix second. */
export function localDate(zone: string, second: number): string {
  const stretch = stretches(zone, second, second + 1)[0];
  return dateOf(Math.floor((second + (stretch?.offset ?? 0)) / daySeconds));
}

const two = (value: number): string => String(value).padStart(2, '0');

/** ISO week: the week belongs to the year that its Thursday is in. */
function weekLabel(day: number): string {
  const thursday = day + 3 - ((day + 3) % 7);
  const year = new Date(thursday * 86_400_000).getUTCFullYear();
  return `${year}-W${two(Math.floor((thursday - Date.UTC(year, 0, 1) / 86_400_000) / 7) + 1)}`;
}

function labelOf(day: number, hour: number | undefined, grain: Grain): string | undefined {
  if (grain === 'total') return undefined;
  if (grain === 'week') return weekLabel(day);
  const date = dateOf(day);
  if (grain === 'month') return date.slice(0, 7);
  return grain === 'hour' ? `${date} ${two(hour ?? 0)}:00` : date;
}

/** Real time of the local stretch [from, until), both in local seconds since 1970. Skipped: one empty piece. */
function piecesOf(from: number, until: number, zone: readonly Stretch[]): Piece[] {
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

/** The real time of local dates `from` to `to`, both included: Unix seconds. */
export function range(zone: string, from: string, to: string): Piece {
  const first = dayNumber(from) * daySeconds;
  const last = (dayNumber(to) + 1) * daySeconds;
  const known = stretches(zone, first - 2 * daySeconds, last + 2 * daySeconds);
  const start = piecesOf(first, first + daySeconds, known)[0];
  const end = piecesOf(last - daySeconds, last, known).at(-1);
  return { from: start?.from ?? first, until: end?.until ?? last };
}

function add(slot: Slot, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    const last = slot.pieces.at(-1);
    if (last && last.until === piece.from) last.until = piece.until;
    else slot.pieces.push({ ...piece });
  }
}

const remembered = new Map<string, readonly Slot[]>();
const mostRemembered = 30;

/**
 * Every cell of the local dates `from` to `to` at a grain, split by the given parts of local time, in order of time. The
 * calendars asked last are remembered: they depend on nothing else.
 */
export function slots(
  zone: string,
  from: string,
  to: string,
  grain: Grain,
  parts: readonly LocalPart[],
): readonly Slot[] {
  const key = [zone, from, to, grain, ...parts].join(' ');
  const known = remembered.get(key);
  if (known) return known;
  const made = slotsOf(zone, from, to, grain, parts);
  const oldest = remembered.keys().next().value;
  if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, made);
  return made;
}

function slotsOf(zone: string, from: string, to: string, grain: Grain, parts: readonly LocalPart[]): Slot[] {
  const found = new Map<string, Slot>();
  const first = dayNumber(from);
  const last = dayNumber(to);
  const known = stretches(zone, (first - 2) * daySeconds, (last + 3) * daySeconds);
  const byHour = grain === 'hour' || parts.includes('hour_of_day');
  let at = 0;
  for (let day = first; day <= last; day++) {
    while ((known[at]?.until ?? Infinity) < (day - 2) * daySeconds) at++;
    const near = known.slice(at, at + 4);
    const weekday = parts.includes('weekday') ? weekdays[(day + 3) % 7] : undefined;
    for (let hour = 0; hour < (byHour ? 24 : 1); hour++) {
      const start = day * daySeconds + hour * 3600;
      const period = labelOf(day, hour, grain);
      const hourOfDay = parts.includes('hour_of_day') ? two(hour) : undefined;
      const key = `${period}|${weekday}|${hourOfDay}`;
      let slot = found.get(key);
      if (!slot) {
        slot = {
          ...(period === undefined ? {} : { period }),
          ...(weekday === undefined ? {} : { weekday }),
          ...(hourOfDay === undefined ? {} : { hour_of_day: hourOfDay }),
          pieces: [],
        };
        found.set(key, slot);
      }
      add(slot, piecesOf(start, start + (byHour ? 3600 : daySeconds), near));
    }
  }
  return [...found.values()];
}
