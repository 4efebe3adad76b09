// Finds erased people and expired content in a file, which means that an older copy of it was restored.
import type { Queryable } from '../engine.ts';
import { ofSelection, type ErasedId } from './selection.ts';

/** Every visitor of a file. */
export async function visitorsIn(engine: Queryable): Promise<ErasedId[]> {
  const rows = await engine.query(`select distinct account, visitor_id from facts.chats where visitor_id <> ''`);
  return rows.map(({ account, visitor_id }) => ({ account: String(account), id: String(visitor_id) }));
}

const chat_columns = ['chat_id', 'started_quarter'];

/** Whether chats that began before a day still have texts: anything but dots. */
export async function hasTextsBefore(engine: Queryable, before: string, dot: string): Promise<boolean> {
  const of = ofSelection(engine.dialect, { from: null, before }, chat_columns);
  const [found] = await engine.query(
    `select count(*) as lines from facts.messages where ${of} and replace(text, ${engine.dialect.literal(dot, 'text')}, '') <> ''`,
  );
  return Number(found?.lines) > 0;
}

/** Whether they still have visitors' names; `erased`: the placeholder for names. */
export async function hasNamesBefore(engine: Queryable, before: string, erased: string): Promise<boolean> {
  const of = ofSelection(engine.dialect, { from: null, before }, chat_columns);
  const [found] = await engine.query(
    `select count(*) as chats from facts.chats where ${of} and coalesce(visitor_name, '') not in ('', ${engine.dialect.literal(erased, 'text')})`,
  );
  return Number(found?.chats) > 0;
}
