// The chats of a snapshot that started in a range, for comparison with another snapshot.
import type { QueryContext } from '../query/context.ts';
import type { Row } from '../engine.ts';

/** Unix seconds, `until` not included. */
export interface VersionSpan {
  from: number;
  until: number;
}

/** Content hashes by id of the chats that started in a stretch. */
export async function contentHashes(
  { snapshot, account }: QueryContext,
  { from, until }: VersionSpan,
): Promise<Map<string, string>> {
  const { param } = snapshot.engine.dialect;
  const rows = await snapshot.engine.query(
    `select chat_id, coalesce(content_hash, '') as content_hash
     from facts.chats
     where account = ${param('account', 'text')}
       and started_second >= ${param('from', 'bigint')}
       and started_second < ${param('until', 'bigint')}`,
    { account: account.id, from, until },
  );
  return new Map(rows.map((row) => [String(row.chat_id), String(row.content_hash)]));
}

/** Columns in the order in which rows of a chat are compared. */
const columns = {
  chats: [
    ...['started_second', 'ended_second', 'rate', 'engagement', 'queue_seconds', 'is_replied', 'message_count'],
    ...[
      'first_response_seconds',
      'first_response_agent',
      'response_seconds',
      'response_turns',
      'visitor_id',
      'country',
    ],
  ],
  chat_agents: ['agent', 'response_sum_seconds', 'response_turns'],
  chat_groups: ['group_id'],
  chat_tags: ['tag'],
  chat_goals: ['goal_id', 'is_sale_tracker', 'reached', 'order_id', 'price', 'currency'],
} as const;
type Versioned = keyof typeof columns;

/** For these chats, which started in the range. Rows with the same content have the same order in every snapshot. */
export function versionRows(
  { snapshot, account }: QueryContext,
  { from, until }: VersionSpan,
  ids: readonly string[],
  table: Versioned,
): Promise<Row[]> {
  const { literal, param, second } = snapshot.engine.dialect;
  const wanted = columns[table].map((name) => (name === 'reached' ? `${second('reached_at')} as reached` : name));
  if (table === 'chats') wanted.unshift("coalesce(content_hash, '') as content_hash");
  return snapshot.engine.query(
    `select chat_id, ${wanted.join(', ')}
     from facts.${table}
     where account = ${param('account', 'text')}
       and started_quarter >= ${param('first', 'bigint')}
       and started_quarter <= ${param('last', 'bigint')}
       and chat_id in (${ids.map((id) => literal(id, 'text')).join(', ')})
     order by chat_id, ${columns[table].join(', ')}`,
    { account: account.id, first: Math.floor(from / 900), last: Math.floor(until / 900) },
  );
}
