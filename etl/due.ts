// When a local day must be asked again: open days always, settling days ever more rarely, complete days once more.
import { endOf } from './days.ts';

/** Late ratings, tags and sales may still change a day this long after its end. */
export const settling_seconds = 7 * 86_400;
/** A settling day is asked again after this share of its age: an hour after it ended in minutes, after a week in a day. */
const patience = 1 / 8;

/** When that day was last received (Unix seconds), or nothing. */
export type Known = (source: string, grain: string, split: string, value: string, day: string) => number | undefined;

export interface Moment {
  timezone: string;
  /** Unix seconds. */
  now: number;
}

const ends = new Map<string, number>();
function endsAt(day: string, zone: string): number {
  const key = `${day} ${zone}`;
  let end = ends.get(key);
  if (end === undefined) ends.set(key, (end = endOf(day, zone)));
  return end;
}

/** Open or settling: cheap questions over several days simply include it. */
export const isEveryPull = (day: string, { timezone, now }: Moment): boolean =>
  now < endsAt(day, timezone) + settling_seconds;

export function isDue(day: string, last: number | undefined, { timezone, now }: Moment): boolean {
  if (last === undefined) return true;
  if (last >= now) return false;
  const end = endsAt(day, timezone);
  if (now < end || last < end) return true;
  if (now < end + settling_seconds) return now - last >= (now - end) * patience;
  return last < end + settling_seconds;
}

/**
 * What a second round of the same pull may ask: only days that turned out to have changed, and of those only what this
 * pull has not received already. `started` is the start of the pull (Unix seconds).
 */
export const onlyChanged =
  (known: Known, changed: ReadonlySet<string>, started: number): Known =>
  (source, grain, split, value, day) => {
    const last = known(source, grain, split, value, day);
    return changed.has(day) && (last === undefined || last < started) ? undefined : Infinity;
  };
