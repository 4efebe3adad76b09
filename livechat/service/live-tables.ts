// What callers of the v3 APIs make, as SQLite tables: customers, the state of their chats, threads that no report counts, queue
// departures, greetings seen, files.
import type { DatabaseSync } from 'node:sqlite';
import type { PropertyValues } from '#contract/properties.ts';
import type { ChatRecord, GreetingDisplay, QueueDeparture } from './records.ts';
import { chatIdOf, customerId } from './names.ts';

/** What a customer may set about themselves. */
export interface CustomerProfile {
  name?: string | undefined;
  email?: string | undefined;
  avatar?: string | undefined;
  session_fields?: Record<string, string>[] | undefined;
}

/** One per visitor; those of the simulated account too. */
export interface CustomerRecord extends CustomerProfile {
  /** UUID. */
  id: string;
  visitor_id: string;
  /** The one chat that holds all of the customer's threads. */
  chat_id: string;
  /** Unix seconds. */
  created: number;
  country: string;
  country_code: string;
  /** Where the customer's browser is, as far as it told. */
  browser?: { ip: string; user_agent: string; referrer?: string };
  /** An update that takes effect when the active chat has ended. */
  update?: CustomerProfile;
  banned_until?: number;
  verified_email?: string;
  /** A mail with a link is under way: the hash of its secret, when it was last asked for, and who wants to know. */
  verification?: { hash: string; email: string; asked: number; callbacks: string[] };
  /** Logins of agents who follow. */
  followers: string[];
  /** How many greetings were shown and led to a chat, and the last that were seen, by their `unique_id`. */
  greetings: { shown: number; accepted: number; seen: string[] };
}

/** The state of a v3 chat that is not of one thread. */
export interface ChatState {
  id: string;
  /** Null for a chat of agents only. */
  visitor_id: string | null;
  /** Groups that have access; null: those of the last thread. */
  groups: number[] | null;
  properties: PropertyValues;
  is_continuous: boolean;
  followers: string[];
  /** Up to when each user has seen the events, Unix seconds. */
  seen: Record<string, number>;
}

/**
 * A thread that is in no archive and no report: its customer waits in the queue or left it, or it has no customer.
 */
export interface UncountedThread {
  id: string;
  chat_id: string;
  state: 'queued' | 'left' | 'without customer';
  /** Unix seconds; when the customer began to wait. */
  created: number;
  record: ChatRecord;
}

interface StoredFile {
  id: string;
  name: string;
  content_type: string;
  bytes: Uint8Array;
  /** Unix seconds; null once an event uses it. */
  expires: number | null;
}

const tables = `
  create table if not exists customers (
    id text primary key, visitor_id text not null unique, chat_id text not null unique, created integer not null,
    name text not null, email text not null, country text not null, country_code text not null, record text not null
  ) without rowid;
  create index if not exists customers_by_age on customers (created, id);
  create table if not exists chat_states (id text primary key, record text not null) without rowid;
  create table if not exists uncounted_threads (
    id text primary key, chat_id text not null, state text not null, created integer not null, record text not null
  ) without rowid;
  create index if not exists uncounted_of_chat on uncounted_threads (chat_id, created);
  create index if not exists uncounted_by_state on uncounted_threads (state, created);
  create table if not exists api_departures (
    position integer primary key, visitor_id text not null, "group" integer not null, queued integer not null, left integer not null
  );
  create table if not exists api_displays (
    position integer primary key, greeting integer not null, "group" integer not null, at integer not null, chat_id text
  );
  create table if not exists account_properties (owner text primary key, properties text not null) without rowid;
  create table if not exists files (
    id text primary key, name text not null, content_type text not null, bytes blob not null, expires integer
  ) without rowid;
`;

type Row = Record<string, unknown>;
const recordOf = <T>(row: Row | undefined): T | undefined => (row ? (JSON.parse(String(row.record)) as T) : undefined);

/** Reads and writes them; the caller opens the transaction before writing. */
export function createLiveTables(sqlite: DatabaseSync) {
  sqlite.exec(tables);
  const put = {
    customer: sqlite.prepare(
      'insert into customers (id, visitor_id, chat_id, created, name, email, country, country_code, record)' +
        ' values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set chat_id = excluded.chat_id,' +
        ' created = excluded.created, name = excluded.name, email = excluded.email, record = excluded.record',
    ),
    visitor: sqlite.prepare(
      'insert into customers (id, visitor_id, chat_id, created, name, email, country, country_code, record)' +
        " values (?, ?, ?, ?, ?, ?, ?, ?, '') on conflict (id) do nothing",
    ),
    chat: sqlite.prepare('insert or replace into chat_states (id, record) values (?, ?)'),
    uncounted: sqlite.prepare(
      'insert or replace into uncounted_threads (id, chat_id, state, created, record) values (?, ?, ?, ?, ?)',
    ),
    departure: sqlite.prepare('insert into api_departures (visitor_id, "group", queued, left) values (?, ?, ?, ?)'),
    display: sqlite.prepare('insert into api_displays (greeting, "group", at, chat_id) values (?, ?, ?, ?)'),
    properties: sqlite.prepare('insert or replace into account_properties (owner, properties) values (?, ?)'),
    file: sqlite.prepare(
      'insert or replace into files (id, name, content_type, bytes, expires) values (?, ?, ?, ?, ?)',
    ),
  };
  const one = {
    customer: sqlite.prepare('select * from customers where id = ?'),
    byVisitor: sqlite.prepare('select * from customers where visitor_id = ?'),
    byChat: sqlite.prepare('select * from customers where chat_id = ?'),
    chat: sqlite.prepare('select record from chat_states where id = ?'),
    uncounted: sqlite.prepare('select * from uncounted_threads where id = ?'),
    ofChat: sqlite.prepare('select * from uncounted_threads where chat_id = ? order by created, id'),
    byState: sqlite.prepare('select * from uncounted_threads where state = ? order by created, id'),
    number: sqlite.prepare('select number from chats where id = ?'),
    properties: sqlite.prepare('select properties as record from account_properties where owner = ?'),
    file: sqlite.prepare('select id, name, content_type, bytes, expires from files where id = ?'),
  };
  const drop = {
    uncounted: sqlite.prepare('delete from uncounted_threads where id = ?'),
    files: sqlite.prepare('delete from files where expires <= ?'),
  };
  const propertiesOf = (owner: string): PropertyValues => recordOf<PropertyValues>(one.properties.get(owner)) ?? {};
  const uncountedOf = (row: Row): UncountedThread => ({
    ...(row as Omit<UncountedThread, 'record'>),
    record: JSON.parse(String(row.record)) as ChatRecord,
  });

  return {
    customer: (id: string) => customerOf(one.customer.get(id)),
    customerByVisitor: (visitor_id: string) => customerOf(one.byVisitor.get(visitor_id)),
    customerByChat: (chat_id: string) => customerOf(one.byChat.get(chat_id)),
    putCustomer(customer: CustomerRecord): void {
      const { id, visitor_id, chat_id, created, name = '', email = '', country, country_code } = customer;
      put.customer.run(id, visitor_id, chat_id, created, name, email, country, country_code, JSON.stringify(customer));
    },
    /** The visitor of a chat is a customer from then on; who is one already stays as they are. */
    knowVisitor({ visitor, started }: ChatRecord): void {
      const { id, name, email, country, country_code } = visitor;
      put.visitor.run(customerId(id), id, chatIdOf(id), started, name, email, country, country_code);
    },
    chatState: (id: string) => recordOf<ChatState>(one.chat.get(id)),
    putChatState(state: ChatState): void {
      put.chat.run(state.id, JSON.stringify(state));
    },
    uncounted(id: string): UncountedThread | undefined {
      const row = one.uncounted.get(id);
      return row && uncountedOf(row);
    },
    uncountedOfChat: (chat_id: string) => one.ofChat.all(chat_id).map(uncountedOf),
    uncountedByState: (state: UncountedThread['state']) => one.byState.all(state).map(uncountedOf),
    putUncounted({ id, chat_id, state, created, record }: UncountedThread): void {
      put.uncounted.run(id, chat_id, state, created, JSON.stringify(record));
    },
    dropUncounted(id: string): void {
      drop.uncounted.run(id);
    },
    /** The number of a counted thread, also of one that lies ahead of the clock. */
    numberOf(id: string): number | undefined {
      const row = one.number.get(id);
      return row && Number(row.number);
    },
    putDeparture({ visitor_id, group, queued, left }: QueueDeparture): void {
      put.departure.run(visitor_id, group, queued, left);
    },
    departures: () =>
      sqlite
        .prepare('select visitor_id, "group", queued, left from api_departures')
        .all() as unknown as QueueDeparture[],
    putDisplay({ greeting, group, at, chat_id }: GreetingDisplay): void {
      put.display.run(greeting, group, at, chat_id);
    },
    displays: () =>
      sqlite.prepare('select greeting, "group", at, chat_id from api_displays').all() as unknown as GreetingDisplay[],
    /** Of the license, by namespace and name. */
    licenseProperties: () => propertiesOf('license'),
    groupProperties: (id: number) => propertiesOf(`group ${id}`),
    putLicenseProperties(properties: PropertyValues): void {
      put.properties.run('license', JSON.stringify(properties));
    },
    putGroupProperties(id: number, properties: PropertyValues): void {
      put.properties.run(`group ${id}`, JSON.stringify(properties));
    },
    putFile({ id, name, content_type, bytes, expires }: StoredFile): void {
      put.file.run(id, name, content_type, bytes, expires);
    },
    file: (id: string) => one.file.get(id) as unknown as StoredFile | undefined,
    dropFiles(now: number): void {
      drop.files.run(now);
    },
    /** Rows of a statement of a room that lists; `values` by name. */
    rows: (statement: string, values: Record<string, string | number> = {}) =>
      sqlite.prepare(statement).all(values) as Row[],
  };
}

/** A customer whom nobody changed has a row without a record. */
function customerOf(row: Row | undefined): CustomerRecord | undefined {
  if (!row) return undefined;
  if (row.record !== '') return JSON.parse(String(row.record)) as CustomerRecord;
  const { id, visitor_id, chat_id, created, name, email, country, country_code } = row as Record<string, string>;
  return {
    ...{ id: id!, visitor_id: visitor_id!, chat_id: chat_id!, created: Number(created) },
    ...(name && { name }),
    ...(email && { email }),
    ...{ country: country!, country_code: country_code! },
    followers: [],
    greetings: { shown: 0, accepted: 0, seen: [] },
  };
}
