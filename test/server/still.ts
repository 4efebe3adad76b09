// The clock of accounts that stand still, so that two pulls of one give the same. Programs go by the clock of the machine and ask
// for its days: such an account stands still since the day before yesterday, whenever the tests run. That is more than a day behind
// the machine at any hour, as far as a program trusts its clock to remove what is old.
import { Temporal } from 'temporal-polyfill';

const stands_still_on = Temporal.PlainDate.from(process.env.TEST_TODAY ?? '').subtract({ days: 2 });

/** The local day so many days before the one on which accounts stand still. */
export const dayBefore = (days: number): string => stands_still_on.subtract({ days }).toString();

/** Unix seconds at which accounts stand still. */
export const stillAt = Date.parse(`${dayBefore(0)}T10:20:30Z`) / 1000;

/** A week, as `--for` names it, of which no account that stands still has a day, whatever the day of the week is today. */
export function weekBefore(): string {
  const day = Temporal.PlainDate.from(dayBefore(20));
  return `${day.yearOfWeek}-W${String(day.weekOfYear).padStart(2, '0')}`;
}
