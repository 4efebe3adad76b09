// Compares the archive's chats with total_chats once both have arrived: a chat that ended in between is fetched too.
import { lastPage, pageSize } from '#contract/archive.ts';
import type { Queryable, Store } from '#warehouse/engine.ts';
import { daysShortOfReport, noteTotal, type ShortDay, type AccountZone } from '#warehouse/ledger/periods.ts';
import { endOf } from '../days.ts';

/** Whose days, and when (Unix seconds). */
interface Counting {
  account: string;
  timezone: string;
  pull_id: string;
  now: number;
}

/** Past local days for which this pull received fewer chats than the report counts. */
async function shortDays(engine: Queryable, counting: Counting, isNew: boolean): Promise<ShortDay[]> {
  const { timezone, pull_id, now } = counting;
  const short = await daysShortOfReport(engine, whoseOf(counting), pull_id, isNew);
  return short.filter(({ day }) => endOf(day, timezone) <= now);
}

const whoseOf = ({ account, timezone }: Counting): AccountZone => ({ account, timezone });

/** Days to read once more. A day that came as it was before is not: sources count differently for ever. */
export const daysToReadAgain = async (engine: Queryable, counting: Counting): Promise<string[]> =>
  (await shortDays(engine, counting, true)).map(({ day }) => day);

/** If a source caps its total, only its report has the true number of chats: the ledger then records how many are missing. */
export async function noteShortfalls(engine: Store, counting: Counting): Promise<number> {
  const capped = (await shortDays(engine, counting, false)).filter(({ rows }) => rows >= lastPage * pageSize);
  for (const { day, rows, reported } of capped) {
    const error = `${rows} of ${reported} chats were reached: the source names no more`;
    await noteTotal(engine, whoseOf(counting), day, reported, error);
  }
  return capped.length;
}
