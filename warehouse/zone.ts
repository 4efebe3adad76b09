// Time zones as intervals of constant offset. The only place that evaluates zone rules. Engines receive the offsets as numbers, so that
// every engine and every label follows the same rules.

/** A stretch of time in which local time is UTC plus `offset`. Unix seconds; `until` is not included. */
export interface OffsetSpan {
  from: number;
  until: number;
  offset: number;
}

// Keyed in lower case: zone names may be given in any case, and there are only a few hundred.
const formats = new Map<string, Intl.DateTimeFormat>();
const years = new Map<string, readonly OffsetSpan[]>();
const most_years = 5000;

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const key = zone.toLowerCase();
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(key, format);
  }
  return format;
};

/** True for a name of the IANA database (aliases and `UTC` included), false for `+02:00` and the like. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The name as spelled in the database, whatever the case of the input; aliases stay as they are. */
export function spelled(zone: string): string {
  const { timeZone } = formatOf(zone).resolvedOptions();
  return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
}

/** True when both names mean the same zone (`Asia/Calcutta`, `Asia/Kolkata`). */
export const isSameZone = (one: string, other: string): boolean =>
  one === other ||
  (isZone(one) &&
    isZone(other) &&
    formatOf(one).resolvedOptions().timeZone === formatOf(other).resolvedOptions().timeZone);

/** Seconds that local time is ahead of UTC at a Unix second. */
export function offsetAt(zone: string, second: number): number {
  const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatOf(zone).format(second * 1000));
  if (!found) throw new Error(`no offset of ${zone} at ${second}`);
  const [, sign, hours, minutes, seconds] = found;
  const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return sign === '-' ? -size : size;
}

/** The first second in (low, high] at which the offset is no longer the one at `low`. */
function changeBetween(zone: string, low: number, high: number): number {
  const before = offsetAt(zone, low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

const week = 7 * 86_400;

/** TRICKY: some zones change twice within a month (Morocco around Ramadan), never twice within a week. */
function stretchesOfYear(zone: string, year: number): readonly OffsetSpan[] {
  const name = `${zone.toLowerCase()} ${year}`;
  const known = years.get(name);
  if (known) return known;
  const end = Date.UTC(year + 1, 0, 1) / 1000;
  const found: OffsetSpan[] = [];
  let from = Date.UTC(year, 0, 1) / 1000;
  let offset = offsetAt(zone, from);
  for (let at = from; at < end;) {
    const next = Math.min(at + week, end);
    if (next < end && offsetAt(zone, next) === offset) {
      at = next;
      continue;
    }
    if (next === end && offsetAt(zone, end - 1) === offset) break;
    const change = changeBetween(zone, at, next === end ? end - 1 : next);
    found.push({ from, until: change, offset });
    from = at = change;
    offset = offsetAt(zone, change);
  }
  found.push({ from, until: end, offset });
  if (years.size >= most_years) years.clear();
  years.set(name, found);
  return found;
}

/** The stretches of a zone that touch [from, until), in order and without a gap. Unix seconds. */
export function stretches(zone: string, from: number, until: number): OffsetSpan[] {
  const merged: OffsetSpan[] = [];
  const lastYear = new Date(until * 1000).getUTCFullYear();
  for (let year = new Date(from * 1000).getUTCFullYear(); year <= lastYear; year++) {
    for (const stretch of stretchesOfYear(zone, year)) {
      if (stretch.until <= from || stretch.from >= until) continue;
      const last = merged.at(-1);
      if (last && last.offset === stretch.offset) last.until = stretch.until;
      else merged.push({ ...stretch });
    }
  }
  return merged;
}
