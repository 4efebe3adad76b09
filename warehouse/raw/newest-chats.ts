// Chats of the raw archive as the source said them last, day by day.
import type { Engine, Queryable, Row } from '../engine.ts';

/** Local days with chats, newest first. */
export async function daysOfChats(archive: Queryable, account: string): Promise<string[]> {
  const rows = await archive.query(
    `select distinct period
     from raw.chats
     where account = ${archive.dialect.param('account', 'text')}
     order by period desc`,
    { account },
  );
  return rows.map(({ period }) => String(period));
}

/**
 * `chat_id`, `body` of the chats whose newest version is stored under this day. Between `near` days, the same chat may be stored under
 * another one.
 */
export const newestUnder = (
  archive: Engine,
  account: string,
  day: string,
  near: { from: string; to: string },
): AsyncGenerator<Row[]> => {
  const { param } = archive.dialect;
  return archive.queryInPieces(
    `select chat_id, body
     from raw.chats
     where account = ${param('account', 'text')}
       and period = ${param('day', 'text')}
       and hash in (
         select hash
         from (
           select period, hash, row_number() over (
             partition by case chat_id when '' then hash else chat_id end
             order by received_at desc, period desc, hash
           ) as place
           from raw.chats
           where account = ${param('account', 'text')}
             and period >= ${param('from', 'text')}
             and period <= ${param('to', 'text')}
         ) as versions
         where place = 1
           and period = ${param('day', 'text')}
       )`,
    { account, day, ...near },
  );
};
