// Cron expressions with five fields (minute hour day month weekday): validation and parsing.
import { Cron } from 'croner';

/** Errors: Error, describing what is wrong. */
export const cronOf = (expression: string, timezone: string): Cron =>
  new Cron(expression, { timezone, mode: '5-part', sloppyRanges: true });

/** An arbitrary start: whether a matching day ever occurs does not depend on it. */
const any = new Date('2024-01-01T00:00:00Z');

/** The problem with an expression, or undefined. */
export function problemOf(expression: string): string | undefined {
  if (expression.trim().split(/\s+/).length !== 5)
    return 'must have five fields (minute hour day month weekday), such as 0 7 * * 1';
  try {
    return cronOf(expression, 'UTC').nextRun(any) ? undefined : 'names a day that never comes';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
  }
}
