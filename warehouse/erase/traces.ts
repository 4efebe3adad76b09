// Finds a person in a file: chats by visitor, by form answers, and texts that contain an address.
import type { Engine, Queryable, Row } from '../engine.ts';
import { tablesIn } from '../store/packed/pack.ts';
import { tables } from '../tables/tables.ts';
import { ofChats, type ErasedId } from './selection.ts';

export interface TracedChat extends ErasedId {
  visitor: string;
  name: string | null;
  content_hash: string | null;
}

/** Chats of these visitors, and these chats. */
export async function chatsOf(
  engine: Queryable,
  { visitors, chats }: { visitors: readonly ErasedId[]; chats: readonly ErasedId[] },
): Promise<TracedChat[]> {
  if (visitors.length + chats.length === 0) return [];
  const rows = await engine.query(
    `select account, chat_id, visitor_id, visitor_name, content_hash
     from facts.chats
     where ${ofChats(engine.dialect, chats)}
       or ${ofChats(engine.dialect, visitors, 'visitor_id')}`,
  );
  return rows.map(({ account, chat_id, visitor_id, visitor_name, content_hash }) => ({
    ...{ account: String(account), id: String(chat_id), visitor: String(visitor_id) },
    name: visitor_name == null ? null : String(visitor_name),
    content_hash: content_hash == null ? null : String(content_hash),
  }));
}

/** Chats with this address as an answer in the pre-chat form. `address` in lower case. */
export async function chatsByAnswer(engine: Queryable, address: string): Promise<ErasedId[]> {
  const rows = await engine.query(
    `select distinct account, chat_id
     from facts.chat_surveys
     where survey = 'pre'
       and lower(trim(answer)) = ${engine.dialect.literal(address, 'text')}`,
  );
  return rows.map(({ account, chat_id }) => ({ account: String(account), id: String(chat_id) }));
}

/** Answers before those chats. */
export async function answersIn(engine: Queryable, chats: readonly ErasedId[]): Promise<string[]> {
  if (chats.length === 0) return [];
  const rows = await engine.query(
    `select distinct answer from facts.chat_surveys where survey = 'pre' and ${ofChats(engine.dialect, chats)}`,
  );
  return rows.map(({ answer }) => String(answer));
}

/** Logins of agents of the accounts. */
export async function loginsIn(engine: Queryable): Promise<string[]> {
  const rows = await engine.query('select distinct login from account.agents');
  return rows.map(({ login }) => String(login));
}

/** Personal texts that contain one of the words (in lower case), except those of the chats and of quarantined records. */
export async function textsHolding(
  engine: Queryable,
  words: readonly string[],
  chats: readonly ErasedId[],
): Promise<string[]> {
  const found = new Set<string>();
  if (words.length === 0) return [];
  for (const { schema, name, columns } of tables)
    for (const [column, { personal, type }] of Object.entries(columns)) {
      if (!personal || type !== 'text' || name === 'quarantine') continue;
      const others = 'chat_id' in columns ? ` and not ${ofChats(engine.dialect, chats)}` : '';
      const rows = await engine.query(
        `select distinct "${column}" as words from ${schema}.${name} where (${holding(engine, column, words)})${others}`,
      );
      for (const row of rows) found.add(String(row.words));
    }
  return [...found];
}

const holding = ({ dialect }: Queryable, column: string, words: readonly string[]): string =>
  words.length === 0
    ? '1 = 0'
    : words.map((word) => `position(${dialect.literal(word, 'text')} in lower("${column}")) > 0`).join(' or ');

export interface SetAside {
  account: string;
  source: string;
  record_id: string;
  body: string;
}

/** Quarantined records of those chats, or with one of the words (in lower case). */
export async function setAsideWith(
  engine: Queryable,
  chats: readonly ErasedId[],
  words: readonly string[],
): Promise<SetAside[]> {
  const rows = await engine.query(
    `select account, source, record_id, body
     from ledger.quarantine
     where ${ofChats(engine.dialect, chats, 'record_id')}
       or ${holding(engine, 'body', words)}`,
  );
  return rows.map(({ account, source, record_id, body }) => ({
    ...{ account: String(account), source: String(source), record_id: String(record_id), body: String(body) },
  }));
}

/** Number of rows about those chats, for tables with any. */
export async function rowsOf(engine: Queryable, chats: readonly ErasedId[]): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  if (chats.length === 0) return counted;
  for (const { schema, name, columns } of tables) {
    if (!('chat_id' in columns)) continue;
    const [found] = await engine.query(
      `select count(*) as rows from ${schema}.${name} where ${ofChats(engine.dialect, chats)}`,
    );
    if (Number(found?.rows) > 0) counted.set(`${schema}.${name}`, Number(found?.rows));
  }
  return counted;
}

/** Places (`schema.table.column`) in a file where any text contains one of the words. */
export async function placesHolding(engine: Engine, words: readonly string[]): Promise<string[]> {
  const places: string[] = [];
  if (words.length === 0) return places;
  const small = words.map((word) => word.toLowerCase());
  const text = engine.dialect.typeName('text');
  for (const { schema, name, from, columns } of await tablesIn(engine)) {
    const own = columns.filter(({ type }) => type === text);
    if (own.length === 0) continue;
    const [found = {}] = await engine.query(
      `select ${own.map((column, place) => `count(*) filter (where ${holding(engine, column.name, small)}) as c${place}`).join(', ')} from ${from}`,
    );
    for (const [place, column] of own.entries())
      if (Number(found[`c${place}`]) > 0) places.push(`${schema}.${name}.${column.name}`);
  }
  return places;
}

/** Accounts that the file has chats or days of. */
export async function accountsIn(engine: Queryable): Promise<string[]> {
  const rows = await engine.query('select distinct account from ledger.periods order by account');
  return rows.map(({ account }) => String(account));
}

/** Whole rows about those chats by facts table, each sorted by its key. */
export async function factsAbout(engine: Queryable, chats: readonly ErasedId[]): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>();
  for (const { schema, name, columns, order } of tables) {
    if (schema !== 'facts' || chats.length === 0) continue;
    const listed = Object.keys(columns).map((column) => `"${column}"`);
    found.set(
      name,
      await engine.query(
        `select ${listed.join(', ')} from facts.${name} where ${ofChats(engine.dialect, chats)} order by ${order.join(', ')}`,
      ),
    );
  }
  return found;
}
