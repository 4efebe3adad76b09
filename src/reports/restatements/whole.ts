// Which older snapshots already held every day of the account: figures of another one change only because days were missing.
import type { QueryContext } from '#warehouse/query/context.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { firstReceived } from '#warehouse/read/pulled-days.ts';

/**
 * Whether a snapshot published at an instant (ISO) had all days from the first to pull to the last that was over then.
 * Reads the newer ledger only, which knows when each day was first received. A day that was asked and never came is in
 * no snapshot and keeps none from being whole; one that was not asked yet does.
 */
export async function wholeFrom(context: QueryContext): Promise<(published_at: string) => boolean> {
  const { timezone, since } = context.account;
  const there = await firstReceived(context);
  return (published_at) => {
    const published = Date.parse(published_at) / 1000;
    const last = dayNumber(localDate(timezone, Math.floor(published))) - 1;
    for (let day = dayNumber(since); day <= last; day++)
      if ((there.get(dateOf(day)) ?? Infinity) > published) return false;
    return true;
  };
}
