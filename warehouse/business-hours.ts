// Business hours as people write them, and the real time in which they are open. Pure; a test counts the same minute by minute.
import { dateOf, dayNumber, weekdays, type Piece } from './periods.ts';
import { offsetAt, stretches } from './zone.ts';

export type Weekday = (typeof weekdays)[number];

/** Valid from one day until the next entry begins. */
export interface HoursFrom {
  /** Local date; null: from the beginning. */
  valid_from: string | null;
  /** IANA zone. */
  timezone: string;
  /** Shifts such as `09:00-17:00`; one that ends at or before its start ends on the next day. A missing day is closed. */
  week: Readonly<Partial<Record<Weekday, readonly string[]>>>;
  /** Local dates on which no shift begins. */
  holidays: readonly string[];
}

/** Business hours of an account. An empty `hours` means that none are set. */
export interface BusinessHours {
  /** Hours of everybody, in order; the first entry applies from the beginning. */
  hours: readonly HoursFrom[];
  /** Groups with hours of their own, each in order; before its first entry a group has the hours of everybody. */
  groups: readonly { group: number; hours: readonly HoursFrom[] }[];
}

export const noHours: BusinessHours = { hours: [], groups: [] };

const plain = ({ valid_from, timezone, week, holidays }: HoursFrom): unknown => [
  ...[valid_from, timezone, holidays],
  weekdays.map((name) => week[name] ?? []),
];

export const sameHours = (one: BusinessHours, other: BusinessHours): boolean => {
  const [first, second] = [one, other].map(({ hours, groups }) =>
    JSON.stringify([hours.map(plain), groups.map((own) => [own.group, own.hours.map(plain)])]),
  );
  return first === second;
};

const daySeconds = 86_400;
const shape = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|(24):(00))$/;

/** Seconds after midnight of its day, with the end after the start; undefined if it is not a shift. */
export function shiftOf(text: string): { from: number; until: number } | undefined {
  const [, ...found] = shape.exec(text) ?? [];
  const [hour, minute, lastHour, lastMinute] = found.filter((part) => part !== undefined).map(Number);
  if (hour === undefined || minute === undefined || lastHour === undefined || lastMinute === undefined)
    return undefined;
  const from = hour * 3600 + minute * 60;
  const until = lastHour * 3600 + lastMinute * 60;
  if (from === until) return undefined;
  return { from, until: until > from ? until : until + daySeconds };
}

const weekdayOf = (day: number): Weekday => weekdays[(((day + 3) % 7) + 7) % 7] ?? 'mon';

/** Sorted pieces with adjacent ones merged. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of [...pieces].sort((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && piece.from <= last.until) last.until = Math.max(last.until, piece.until);
    else if (piece.from < piece.until) found.push({ ...piece });
  }
  return found;
}

/** Local seconds in which an entry is open, of shifts that begin on the days from `first` to `last`. */
function localPieces({ week, holidays }: HoursFrom, first: number, last: number): Piece[] {
  const shifts = new Map(weekdays.map((name) => [name, (week[name] ?? []).flatMap((text) => shiftOf(text) ?? [])]));
  const closed = new Set(holidays);
  const found: Piece[] = [];
  for (let day = first; day <= last; day++) {
    if (closed.has(dateOf(day))) continue;
    for (const { from, until } of shifts.get(weekdayOf(day)) ?? [])
      found.push({ from: day * daySeconds + from, until: day * daySeconds + until });
  }
  return joined(found);
}

/** Local to real time: an hour that occurs twice is open both times, a skipped hour takes no time. */
function realPieces(local: readonly Piece[], timezone: string): Piece[] {
  const [first, last] = [local[0], local.at(-1)];
  if (!first || !last) return [];
  return stretches(timezone, first.from - 2 * daySeconds, last.until + 2 * daySeconds).flatMap((stretch) => {
    const [begins, ends] = [stretch.from + stretch.offset, stretch.until + stretch.offset];
    return local
      .filter(({ from, until }) => from < ends && until > begins)
      .map(({ from, until }) => ({
        from: Math.max(from, begins) - stretch.offset,
        until: Math.min(until, ends) - stretch.offset,
      }));
  });
}

/** The entries of a group, with those of everybody before its first; of everybody for a group that has none. */
function entriesOf({ hours, groups }: BusinessHours, group: number | null): readonly HoursFrom[] {
  const own = groups.find((each) => each.group === group)?.hours ?? [];
  const begins = own[0]?.valid_from;
  if (own.length === 0) return hours;
  return begins === null || begins === undefined
    ? own
    : [...hours.filter(({ valid_from }) => valid_from === null || valid_from < begins), ...own];
}

/** The real time within [from, until) in which a group is open, in order; null: groups without hours of their own. Unix seconds. */
function openTime(written: BusinessHours, group: number | null, from: number, until: number): Piece[] {
  // A shift of the day before may reach into the first, and local days begin up to a day earlier or later.
  const [first, last] = [Math.floor(from / daySeconds) - 3, Math.floor(until / daySeconds) + 2];
  const entries = entriesOf(written, group);
  const pieces = entries.flatMap((entry, at) => {
    const next = entries[at + 1]?.valid_from ?? null;
    const begins = entry.valid_from === null ? first : Math.max(first, dayNumber(entry.valid_from));
    const ends = next === null ? last : Math.min(last, dayNumber(next) - 1);
    return realPieces(localPieces(entry, begins, ends), entry.timezone);
  });
  return within(joined(pieces), from, until);
}

/** The parts of pieces within [from, until). */
export const within = (pieces: readonly Piece[], from: number, until: number): Piece[] =>
  pieces
    .filter((piece) => piece.from < until && piece.until > from)
    .map((piece) => ({ from: Math.max(piece.from, from), until: Math.min(piece.until, until) }));

/** The real time in which any of a chat's groups is open; of a chat without a group that of everybody. */
export const openForChat = (
  written: BusinessHours,
  groups: readonly number[],
  from: number,
  until: number,
): Piece[] => {
  const own = new Set(groups.map((group) => (written.groups.some((each) => each.group === group) ? group : null)));
  if (own.size === 0) own.add(null);
  return joined([...own].flatMap((group) => openTime(written, group, from, until)));
};

/** Real time in which somebody is open; `open_in` combines the bits of those who are. */
interface Segment extends Piece {
  open_in: number;
}

/** Everybody is bit 1; groups with hours of their own are 2, 4, 8 and so on, in their order. */
export const bitOf = (at: number): number => 2 ** (at + 1);
export const everybody = 1;
/** More do not fit into one number. */
export const most_groups = 50;

/** All of it within [from, until), in order and without overlaps. */
export function segmentsOf(written: BusinessHours, from: number, until: number): Segment[] {
  if (written.hours.length === 0) return [];
  const whose: [bit: number, group: number | null][] = [
    [everybody, null],
    ...written.groups.map(({ group }, at): [number, number] => [bitOf(at), group]),
  ];
  const edges = whose
    .flatMap(([bit, group]) =>
      openTime(written, group, from, until).flatMap((piece) => [
        { at: piece.from, delta: bit },
        { at: piece.until, delta: -bit },
      ]),
    )
    .sort((one, other) => one.at - other.at);
  const found: Segment[] = [];
  let [open_in, since] = [0, from];
  for (const { at, delta } of edges) {
    const last = found.at(-1);
    if (open_in !== 0 && at > since) {
      if (last?.until === since && last.open_in === open_in) last.until = at;
      else found.push({ from: since, until: at, open_in });
    }
    open_in += delta;
    since = at;
  }
  return found;
}

/** `2026-11-06 18:00` as clocks of a zone show it. */
export const clockWords = (zone: string, second: number): string =>
  new Date((second + offsetAt(zone, second)) * 1000).toISOString().slice(0, 16).replace('T', ' ');
