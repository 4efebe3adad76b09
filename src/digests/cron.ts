// Cron expressions of five fields (minute hour day month weekday): what is wrong with one, and how it is read.
import { Cron } from 'croner';

/** Errors: Error, saying what is wrong with it. */
export const cronOf = (expression: string, timezone: string): Cron =>
  new Cron(expression, { timezone, mode: '5-part', sloppyRanges: true });

/** A time to look ahead from: whether a day ever comes does not depend on it. */
const any = new Date('2024-01-01T00:00:00Z');

/** What is wrong with an expression, or nothing. */
export function problemOf(expression: string): string | undefined {
  if (expression.trim().split(/\s+/).length !== 5)
    return 'must have five fields (minute hour day month weekday), such as 0 7 * * 1';
  try {
    return cronOf(expression, 'UTC').nextRun(any) ? undefined : 'names a day that never comes';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
  }
}
