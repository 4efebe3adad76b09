// What a file holds about chats that began in a range of days: whether there are any, by month, and which rows lose something.
import type { Queryable } from '../engine.ts';
import { tables } from '../tables/tables.ts';
import { goesWith } from './rewriting.ts';
import { ofSelection, type Begun, type Loss } from './selection.ts';

const chat_columns = ['chat_id', 'started_quarter'];

/** How many chats began then. */
export async function countBegun(engine: Queryable, begun: Begun): Promise<number> {
  const [found] = await engine.query(
    `select count(*) as chats from facts.chats where ${ofSelection(engine.dialect, begun, chat_columns)}`,
  );
  return Number(found?.chats ?? 0);
}

/** The same by month (`2026-11`, UTC), oldest first; months without a chat are not in it. */
export async function monthsBegun(engine: Queryable, begun: Begun): Promise<Map<string, number>> {
  const { dialect } = engine;
  const month = dialect.label(dialect.period(dialect.localTime('started_quarter'), 'month'), 'month');
  const rows = await engine.query(
    `select ${month} as month, count(*) as chats
     from facts.chats
     where ${ofSelection(dialect, begun, chat_columns)}
     group by all
     order by month`,
  );
  return new Map(rows.map(({ month, chats }) => [String(month), Number(chats)]));
}

/** Number of rows that lose something, for tables with any. */
export async function rowsLosing(engine: Queryable, { of, tells }: Loss): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const { schema, name, columns } of tables) {
    const where = ofSelection(engine.dialect, of, Object.keys(columns));
    const loses = Object.values(columns).some((column) => column.personal && goesWith(column, tells));
    if (where === '' || !loses) continue;
    const [found] = await engine.query(`select count(*) as rows from ${schema}.${name} where ${where}`);
    if (Number(found?.rows) > 0) counted.set(`${schema}.${name}`, Number(found?.rows));
  }
  return counted;
}

export interface OldSetAside {
  account: string;
  body: string;
  /** YYYY-MM-DD, UTC. */
  seen_on: string;
}

/** Records of the archives that are set aside. */
export async function setAsideOfArchives(engine: Queryable): Promise<OldSetAside[]> {
  const rows = await engine.query(
    "select account, body, seen_at from ledger.quarantine where source in ('archive', 'archive_v3')",
  );
  return rows.map(({ account, body, seen_at }) => ({
    ...{ account: String(account), body: String(body), seen_on: String(seen_at).slice(0, 10) },
  }));
}
