// What two archives say differently of the same chats, over local days (both included).
import type { Queryable, Row } from '../engine.ts';

const within = (engine: Queryable): string =>
  `day between ${engine.dialect.param('since', 'date')} and ${engine.dialect.param('until', 'date')}`;

/** Days that were compared: `account`, `day`, the `chats` of list_archives and how many chats are `differing`. */
export const daysOfBoth = (engine: Queryable, since: string, until: string): Promise<Row[]> =>
  engine.query(
    `select compared.account, compared.day, compared.rows as chats, count(distinct chat_id) as differing
     from ledger.periods as compared
     left join ledger.source_differences as found
       on found.account = compared.account and found.day = compared.day
     where compared.source = 'archive_v3'
       and compared.state = 'pulled'
       and compared.${within(engine)}
     group by compared.account, compared.day, compared.rows
     order by compared.account, compared.day`,
    { since, until },
  );

/** Every difference: the field and both values. */
export const sourceDifferences = (engine: Queryable, since: string, until: string): Promise<Row[]> =>
  engine.query(
    `select account, day, chat_id, field, rest_v2, agent_v3, seen_at
     from ledger.source_differences
     where ${within(engine)}
     order by account, day, chat_id, field`,
    { since, until },
  );
