// Holds what the archive gave against what total_chats says, once both have come: a chat that ended in between is fetched too.
import { lastPage, pageSize } from '#contract/archive.ts';
import type { Engine, Store } from '#warehouse/engine.ts';
import { endsAt } from './due.ts';

/** Whose days, and when (Unix seconds). */
export interface Counting {
  account: string;
  timezone: string;
  pull_id: string;
  now: number;
}

interface Short {
  day: string;
  rows: number;
  reported: number;
}

/** Local days that are over and of which this pull brought fewer chats than the report names. */
async function shortDays(engine: Engine, { account, timezone, pull_id, now }: Counting, more = ''): Promise<Short[]> {
  const { param } = engine.dialect;
  const rows = await engine.query(
    `select p.day, p.rows, r.chats
     from ledger.periods as p
     inner join reports.total_chats as r on r.account = p.account and r.timezone = p.timezone and r.day = p.day
     where p.account = ${param('account', 'text')}
       and p.timezone = ${param('timezone', 'text')}
       and p.pull_id = ${param('pull_id', 'text')}
       and p.source = 'archive'
       and p.state = 'pulled'
       and r.grain = 'day'
       and r.split = 'account'
       and p.rows < r.chats${more}`,
    { account, timezone, pull_id },
  );
  return rows
    .map(({ day, rows, chats }) => ({ day: String(day), rows: Number(rows), reported: Number(chats) }))
    .filter(({ day }) => endsAt(day, timezone) <= now);
}

/** Days to read once more. A day that came as it was before is not: sources count differently for ever. */
export const daysToReadAgain = async (engine: Engine, counting: Counting): Promise<string[]> =>
  (await shortDays(engine, counting, '\n       and p.rows_new + p.rows_changed > 0')).map(({ day }) => day);

/** A source that caps its total names the true number of chats in its report only: the ledger then says how many are missing. */
export async function noteShortfalls(engine: Store, counting: Counting): Promise<number> {
  const capped = (await shortDays(engine, counting)).filter(({ rows }) => rows >= lastPage * pageSize);
  const { param, literal } = engine.dialect;
  for (const { day, rows, reported } of capped) {
    const error = `${rows} of ${reported} chats were reached: the source names no more`;
    await engine.exec(
      `update ledger.periods
       set total = ${reported}, error = ${literal(error, 'text')}
       where account = ${param('account', 'text')}
         and timezone = ${param('timezone', 'text')}
         and source = 'archive'
         and day = ${literal(day, 'date')}`,
      { account: counting.account, timezone: counting.timezone },
    );
  }
  return capped.length;
}
