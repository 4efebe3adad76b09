// When a digest is due: local times in its own zone, decided from the last send, never from a timer.
import { localDate } from '#warehouse/periods.ts';
import { cronOf } from './cron.ts';

/**
 * A local time that a clock change skips is due at the moment of the change (02:30 on that night becomes 03:00); one that occurs twice is
 * due the first time.
 */
export interface Schedule {
  cron: string;
  /** IANA zone. */
  timezone: string;
}

export interface DueDigest {
  /** Unix seconds. */
  at: number;
  /** The local due date, from which "last week" is counted. */
  on: string;
}

const dueAt = (timezone: string, date: Date): DueDigest => {
  const at = date.getTime() / 1000;
  return { at, on: localDate(timezone, at) };
};

/** The most recent due time after `after`, if any; earlier missed ones are skipped. */
export function dueNow({ cron, timezone }: Schedule, after: number, now: number): DueDigest | undefined {
  // The present counts as due: the library searches strictly before the given time.
  const [last] = cronOf(cron, timezone).previousRuns(1, new Date((now + 1) * 1000));
  return last && last.getTime() > after * 1000 ? dueAt(timezone, last) : undefined;
}

/** The next due time; undefined for a date that never occurs. */
export function nextDue({ cron, timezone }: Schedule, now: number): DueDigest | undefined {
  const next = cronOf(cron, timezone).nextRun(new Date(now * 1000));
  return next ? dueAt(timezone, next) : undefined;
}

/** The next due time, or why there is none: an earlier version may have accepted an expression that this one rejects. */
export function nextOf(schedule: Schedule, now: number): { next?: DueDigest; problem?: string } {
  try {
    const next = nextDue(schedule, now);
    return next ? { next } : { problem: 'names a day that never comes' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error) };
  }
}
