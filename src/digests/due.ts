// When a digest is due: wall-clock times of its own zone, decided from what was sent last, never from a timer.
import { dayNumber, localDate } from '#warehouse/periods.ts';
import { offsetAt } from '#warehouse/zone.ts';
import { timesOf } from './cron.ts';

export interface Schedule {
  cron: string;
  /** IANA zone. */
  timezone: string;
}

export interface Due {
  /** Unix seconds. */
  at: number;
  /** The local date on which it is due: what "last week" counts from. */
  on: string;
}

const daySeconds = 86_400;

/**
 * The moment of a wall-clock time. One that a clock change skips is the moment of the change (02:30 on that night is
 * 03:00); one that comes twice is the first of the two.
 */
export function momentOf(zone: string, localSeconds: number): number {
  // The offsets of the day before and of the day after are the only ones that a wall-clock time can have.
  const offsets = [offsetAt(zone, localSeconds - daySeconds), offsetAt(zone, localSeconds + daySeconds)];
  const fits = offsets.map((offset) => localSeconds - offset).filter((at) => at + offsetAt(zone, at) === localSeconds);
  if (fits.length > 0) return Math.min(...fits);
  let low = localSeconds - Math.max(...offsets);
  let high = localSeconds - Math.min(...offsets);
  const before = offsetAt(zone, low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Every moment after `after` up to and including `until` at which it is due, in order. Unix seconds. */
export function dueBetween({ cron, timezone }: Schedule, after: number, until: number): Due[] {
  const times = timesOf(cron);
  const found = new Map<number, Due>();
  const last = dayNumber(localDate(timezone, until)) + 1;
  for (let day = dayNumber(localDate(timezone, after)) - 1; day <= last; day++) {
    if (!times.isOn(day)) continue;
    for (const minute of times.minutes) {
      const at = momentOf(timezone, day * daySeconds + minute * 60);
      if (at > after && at <= until && !found.has(at))
        found.set(at, { at, on: new Date(day * daySeconds * 1000).toISOString().slice(0, 10) });
    }
  }
  return [...found.values()].sort((one, other) => one.at - other.at);
}

const longest_seconds = 400 * daySeconds;

/** The last time it was due after `after`, if it is; earlier ones that were slept through are not made up. */
export function dueNow(schedule: Schedule, after: number, now: number): Due | undefined {
  return dueBetween(schedule, Math.max(after, now - longest_seconds), now).at(-1);
}

/** The next time it will be due, within a little over four years. */
export function nextDue(schedule: Schedule, now: number): Due | undefined {
  for (const days of [2, 40, 400, 1500]) {
    const found = dueBetween(schedule, now, now + days * daySeconds)[0];
    if (found) return found;
  }
  return undefined;
}
