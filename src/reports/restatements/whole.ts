// Which older snapshots already held every day of the account: figures of another one change only because days were missing.
import type { QueryContext } from '#warehouse/context.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';

/**
 * Whether a snapshot published at an instant (ISO) had all days from the first to pull to the last that was over then.
 * Reads the newer ledger only, which knows when each day was first received. A day that was asked and never came is in
 * no snapshot and keeps none from being whole; one that was not asked yet does.
 */
export async function wholeFrom({ snapshot, account }: QueryContext): Promise<(published_at: string) => boolean> {
  const { id, timezone, since } = account;
  const { param } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select day, state, epoch(first_pulled_at) as first
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and source = 'archive'
       and grain = 'day'
       and split = 'account'
       and day >= cast(${param('since', 'text')} as date)`,
    { account: id, timezone, since },
  );
  const there = new Map(rows.map(({ day, state, first }) => [String(day), state === 'pulled' ? Number(first) : 0]));
  return (published_at) => {
    const published = Date.parse(published_at) / 1000;
    const last = dayNumber(localDate(timezone, Math.floor(published))) - 1;
    for (let day = dayNumber(since); day <= last; day++)
      if ((there.get(dateOf(day)) ?? Infinity) > published) return false;
    return true;
  };
}
