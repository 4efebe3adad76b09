// Local time: which day and hour the wall clock of an IANA zone shows at an instant, and back. Exact to the second.
// Days are numbers (days since 1970-01-01); a zone is a list of spans of constant offset, searched by halves.

const DAY = 86_400;
const FIRST = Date.UTC(1999, 0, 1) / 1000;
const LAST = Date.UTC(2045, 0, 1) / 1000;
const PROBE = 4 * DAY;

/** `since[i]` is the instant from which `offset[i]` (seconds east of Greenwich) holds, until `since[i + 1]`. */
export interface Zone {
  name: string;
  since: number[];
  offset: number[];
}

const known = new Map<string, Zone>();

/** The zone with this name; outside 1999 to 2044 the offsets of the nearest year apply. Throws a RangeError if unknown. */
export function zoneNamed(name: string): Zone {
  // Cached once, whatever the case of the name.
  const key = name.toLowerCase();
  const before = known.get(key);
  if (before) return before;
  const zone = probed(name);
  known.set(key, zone);
  return zone;
}

function probed(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  const shown = (instant: number) => secondsOf(format.format(instant * 1000));
  const zone: Zone = { name, since: [-Infinity], offset: [shown(FIRST)] };
  for (let from = FIRST; from < LAST; from += PROBE) {
    const offset = shown(from + PROBE);
    if (offset === zone.offset.at(-1)) continue;
    let low = from;
    let high = from + PROBE;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (shown(middle) === offset) high = middle;
      else low = middle;
    }
    zone.since.push(high);
    zone.offset.push(offset);
  }
  return zone;
}

function secondsOf(text: string): number {
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0));
}

/** Index of the span that holds at the instant. */
function spanAt(zone: Zone, instant: number): number {
  let low = 0;
  let high = zone.since.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (zone.since[middle]! <= instant) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Local time as seconds since 1970-01-01 00:00 local. */
export function wallAt(zone: Zone, instant: number): number {
  return instant + zone.offset[spanAt(zone, instant)]!;
}

export function dayAt(zone: Zone, instant: number): number {
  return Math.floor(wallAt(zone, instant) / DAY);
}

/** The first instant of a local day: the earliest at which the wall clock shows that date. */
export function startOfDay(zone: Zone, day: number): number {
  const wall = day * DAY;
  for (let index = spanAt(zone, wall - DAY); index < zone.since.length; index++) {
    const instant = Math.max(wall - zone.offset[index]!, zone.since[index]!);
    if (instant < (zone.since[index + 1] ?? Infinity)) return instant;
  }
  return wall;
}

/**
 * Cuts [from, to) where the wall clock passes a whole `unit` (3600 or 86 400 seconds) or jumps, in order of time.
 * `piece` receives the unit's number on the wall clock (hours or days since 1970) and the instants of the piece.
 */
export function cut(
  zone: Zone,
  from: number,
  to: number,
  unit: number,
  piece: (wallUnit: number, from: number, to: number) => void,
): void {
  let index = spanAt(zone, from);
  for (let at = from; at < to;) {
    const offset = zone.offset[index]!;
    const change = zone.since[index + 1] ?? Infinity;
    const wallUnit = Math.floor((at + offset) / unit);
    const until = Math.min(to, change, (wallUnit + 1) * unit - offset);
    piece(wallUnit, at, until);
    at = until;
    if (at === change) index++;
  }
}

/** YYYY-MM-DD of a day number. */
export function dateOf(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, 10);
}

export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / (DAY * 1000);
}
