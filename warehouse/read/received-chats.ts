// When the chats of a range were received, by the quarter hours in which they started and ended: as few rows for a large account as for a busy one.
import type { QueryContext } from '../query/context.ts';

/** Chats that started and ended in these quarter hours (since 1970). */
interface ReceivedChats {
  started: number;
  ended: number;
  /** The archive of one of them lists no goals. */
  isGoalless: boolean;
  /** When the newest version of one of them was received last, Unix seconds; now where the ledger does not know. */
  received: number;
}

/** For the chats that started in a range: Unix seconds, `until` not included. */
export async function receivedChats(
  { snapshot, account, now }: QueryContext,
  { from, until }: { from: number; until: number },
): Promise<ReceivedChats[]> {
  const { param, second, quarterOf } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select c.started_quarter as started, ${quarterOf('c.ended_second')} as ended,
       max(case when c.source = 'agent_v3' then 1 else 0 end) as goalless,
       max(coalesce(${second('p.started_at')}, ${param('now', 'bigint')})) as received
     from facts.chats as c
     left join ledger.pulls as p on p.pull_id = c.pull_id and p.account = c.account
     where c.account = ${param('account', 'text')}
       and c.started_second >= ${param('from', 'bigint')}
       and c.started_second < ${param('until', 'bigint')}
     group by c.started_quarter, ${quarterOf('c.ended_second')}`,
    { account: account.id, from, until, now },
  );
  return rows.map(({ started, ended, goalless, received }) => ({
    ...{ started: Number(started), ended: Number(ended), received: Number(received) },
    isGoalless: Number(goalless) === 1,
  }));
}
