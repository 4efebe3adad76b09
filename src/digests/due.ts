// When a digest is due: wall-clock times of its own zone, decided from what was sent last, never from a timer.
import { localDate } from '#warehouse/periods.ts';
import { cronOf } from './cron.ts';

/**
 * A wall-clock time that a clock change skips is due at the moment of the change (02:30 on that night is 03:00); one that
 * comes twice is due the first time.
 */
export interface Schedule {
  cron: string;
  /** IANA zone. */
  timezone: string;
}

export interface DueDigest {
  /** Unix seconds. */
  at: number;
  /** The local date on which it is due: what "last week" counts from. */
  on: string;
}

const dueAt = (timezone: string, date: Date): DueDigest => {
  const at = date.getTime() / 1000;
  return { at, on: localDate(timezone, at) };
};

/** The last time it was due after `after`, if it is; earlier ones that were slept through are not made up. */
export function dueNow({ cron, timezone }: Schedule, after: number, now: number): DueDigest | undefined {
  // A time that is now counts: the library looks before the one that it is given.
  const [last] = cronOf(cron, timezone).previousRuns(1, new Date((now + 1) * 1000));
  return last && last.getTime() > after * 1000 ? dueAt(timezone, last) : undefined;
}

/** The next time it will be due; nothing for a day that never comes. */
export function nextDue({ cron, timezone }: Schedule, now: number): DueDigest | undefined {
  const next = cronOf(cron, timezone).nextRun(new Date(now * 1000));
  return next ? dueAt(timezone, next) : undefined;
}

/** The next time, or why there is none: an expression that a version before this one took may be refused by this one. */
export function nextOf(schedule: Schedule, now: number): { next?: DueDigest; problem?: string } {
  try {
    const next = nextDue(schedule, now);
    return next ? { next } : { problem: 'names a day that never comes' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error) };
  }
}
