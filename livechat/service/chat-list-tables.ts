// Every chat with its last thread as SQLite tables: the list of chats is read by an index, and its length without reading it.
import type { DatabaseSync } from 'node:sqlite';
import type { PropertyValues } from '#contract/properties.ts';
import type { ItemKey, Order } from './pages.ts';
import { openEnded, type ChatRecord } from './records.ts';
import { inTransaction } from './transaction.ts';

/** A chat in the list, with its last thread. */
export interface ListedChat {
  id: string;
  thread_id: string;
  /** When its last thread began; Unix seconds. */
  latest: number;
}

/** A counted thread that nothing will end by itself. */
export interface OpenThread {
  id: string;
  number: number;
  /** Its chat has a later thread: the customer came back by another way. */
  is_succeeded: boolean;
}

/** What chats have in common that are alike in who sees them and in their properties. */
export interface ChatKind {
  groups: number[];
  engagement: ChatRecord['engagement'];
  client_id: string | null;
  is_continuous: boolean;
  /** Those that callers set. */
  properties: PropertyValues;
}

/** What the properties of a thread's chat come from. */
const sourceOf = (record: string, client_id: string): string =>
  `json_array(json_extract(${record}, '$.engagement'), json_extract(${record}, '${client_id}'))`;

/**
 * `chat_list.groups` is a JSON array; few different ones exist, however many chats there are. `kind` is a JSON array of that, of what the
 * properties of the last thread come from, and of the chat's own properties: of those there are as many as callers make.
 */
const tables = `
  create table chat_list (
    chat_id text primary key, latest integer not null, thread_id text not null, ended integer not null,
    thread_groups text not null, thread_source text not null, own_groups text, own_properties text,
    groups text as (coalesce(own_groups, thread_groups)),
    kind text as ('[' || coalesce(own_groups, thread_groups) || ',' || thread_source || ',' || coalesce(own_properties, '[false,{}]') || ']')
  ) without rowid;
  create index chat_list_of_groups on chat_list (groups, latest, chat_id);
  create index chat_list_of_kind on chat_list (kind, latest, chat_id);
  create index chat_list_by_end on chat_list (ended);
  create table chat_groups (groups text primary key, chats integer not null) without rowid;
  create table chat_kinds (kind text primary key, chats integer not null) without rowid;
  create table unlisted_chats (started integer not null, number integer not null, primary key (started, number)) without rowid;
  create view threads_of_chats as
    select customers.chat_id, chats.started as created, chats.id, chats.ended, json_extract(chats.light, '$.groups') as groups,
      ${sourceOf('chats.light', '$.client_id')} as source
    from chats join customers on customers.visitor_id = chats.visitor_id
    union all
    select chat_id, created, id, json_extract(record, '$.ended'), json_extract(record, '$.groups'),
      ${sourceOf('record', '$.live.client_id')} from uncounted_threads;
`;

/** Of two threads that begin within one second, the last is the one that goes on. */
const replacing = `
  on conflict (chat_id) do update set latest = excluded.latest, thread_id = excluded.thread_id, ended = excluded.ended,
    thread_groups = excluded.thread_groups, thread_source = excluded.thread_source, own_groups = excluded.own_groups,
    own_properties = excluded.own_properties
  where thread_id = excluded.thread_id or (excluded.latest, excluded.ended, excluded.thread_id) >= (latest, ended, thread_id)`;

/** Chooses again among the threads of a chat that begin within one second. */
const relist = (chat_id: string, created: string): string => `
  update chat_list set (latest, thread_id, ended, thread_groups, thread_source) = (
    select created, id, ended, groups, source from threads_of_chats
    where chat_id = ${chat_id} and created = ${created} order by ended desc, id desc limit 1
  ) where chat_id = ${chat_id}`;

const groupsOf = (record: string): string => `json_extract(${record}, '$.groups')`;
const propertiesOf = (record: string): string =>
  `json_array(${record} -> '$.is_continuous', ${record} -> '$.properties')`;

/** What is the chat's own, whatever its threads are: groups and properties. */
const ownOf = (chat_id: string): string =>
  [groupsOf, propertiesOf].map((each) => `(select ${each('record')} from chat_states where id = ${chat_id})`).join();

/** Lists threads of `uncounted_threads`, named `thread` in the statement. */
const listUncounted = (thread: string): string => `
  ${thread}.chat_id, ${thread}.created, ${thread}.id, json_extract(${thread}.record, '$.ended'),
  json_extract(${thread}.record, '$.groups'), ${sourceOf(`${thread}.record`, '$.live.client_id')}, ${ownOf(`${thread}.chat_id`)}`;

const columns = 'chat_id, latest, thread_id, ended, thread_groups, thread_source, own_groups, own_properties';

/** What the list has of a chat. */
const listedOf = (chat: string): string =>
  `${chat}.started, ${chat}.ended, ${groupsOf(`${chat}.light`)}, ${sourceOf(`${chat}.light`, '$.client_id')}`;

/** Most changes of a chat are none of its place in the list. */
const chatChanges = `create trigger chat_changes_in_list after update of started, ended, light on chats
  when (${listedOf('new')}) is not (${listedOf('old')}) begin
    ${relist('(select chat_id from customers where visitor_id = new.visitor_id)', 'new.started')}
      and (thread_id = new.id or latest = new.started);
  end`;

const triggers = `
  create trigger chat_list_counts_new after insert on chat_list begin
    insert into chat_groups (groups, chats) values (new.groups, 1) on conflict (groups) do update set chats = chats + 1;
    insert into chat_kinds (kind, chats) values (new.kind, 1) on conflict (kind) do update set chats = chats + 1;
  end;
  create trigger chat_list_counts_kinds after update on chat_list when old.kind is not new.kind begin
    update chat_kinds set chats = chats - 1 where kind = old.kind;
    delete from chat_kinds where kind = old.kind and chats = 0;
    insert into chat_kinds (kind, chats) values (new.kind, 1) on conflict (kind) do update set chats = chats + 1;
  end;
  create trigger chat_list_counts_changed after update on chat_list when old.groups is not new.groups begin
    update chat_groups set chats = chats - 1 where groups = old.groups;
    insert into chat_groups (groups, chats) values (new.groups, 1) on conflict (groups) do update set chats = chats + 1;
  end;
  create trigger chat_waits_for_list after insert on chats begin
    insert into unlisted_chats (started, number) values (new.started, new.number);
  end;
  ${chatChanges};
  create trigger uncounted_thread_in_list after insert on uncounted_threads begin
    insert into chat_list (${columns}) values (${listUncounted('new')}) ${replacing};
    ${relist('new.chat_id', 'new.created')} and latest = new.created;
  end;
  create trigger chat_state_in_list after insert on chat_states begin
    update chat_list set own_groups = ${groupsOf('new.record')}, own_properties = ${propertiesOf('new.record')}
    where chat_id = new.id
      and (own_groups, own_properties) is not (${groupsOf('new.record')}, ${propertiesOf('new.record')});
  end;
`;

/** What a file of an older version holds is listed at once, its counted chats with the next call of `upTo`. */
const fill = `
  insert into chat_list (${columns}) select ${listUncounted('thread')} from uncounted_threads as thread where true ${replacing};
  insert into unlisted_chats (started, number) select started, number from chats;
`;

/** In such a file bodies alone tell by which client a chat began. */
const nameClients = `
  update chats set light = json_set(light, '$.client_id', json_extract(body, '$.live.client_id')) from bodies
  where bodies.number = chats.number and json_extract(body, '$.live.client_id') is not null;
`;

/** Of a file whose list knew no kinds. */
const drop = `
  drop view if exists threads_of_chats;
  drop trigger if exists chat_waits_for_list;
  drop trigger if exists chat_changes_in_list;
  drop trigger if exists uncounted_thread_in_list;
  drop trigger if exists chat_state_in_list;
  drop table if exists chat_list;
  drop table if exists chat_groups;
  drop table if exists unlisted_chats;
`;

/** Makes the tables where they are missing; those that they are kept from exist. */
export function createChatList(sqlite: DatabaseSync) {
  const is_new = () => !sqlite.prepare("select 1 from sqlite_schema where name = 'chat_kinds'").get();
  if (is_new()) {
    inTransaction(sqlite, () => {
      // Another process may have made them since.
      if (is_new()) sqlite.exec(drop + nameClients + tables + triggers + fill);
    });
  }
  // Of a file of an older version, whose list every change of a chat wrote.
  const is_older = () =>
    sqlite.prepare("select sql from sqlite_schema where name = 'chat_changes_in_list'").get()?.sql !== chatChanges;
  if (is_older()) {
    inTransaction(sqlite, () => {
      if (is_older()) sqlite.exec(`drop trigger if exists chat_changes_in_list; ${chatChanges}`);
    });
  }
  sqlite.exec('create index if not exists chat_list_by_time on chat_list (latest, chat_id)');
  const due = sqlite.prepare('select 1 from unlisted_chats where started <= ? limit 1');
  const list = sqlite.prepare(`
    insert into chat_list (${columns})
    select customers.chat_id, chats.started, chats.id, chats.ended, json_extract(chats.light, '$.groups'),
      ${sourceOf('chats.light', '$.client_id')}, ${ownOf('customers.chat_id')}
    from unlisted_chats
    join chats on chats.number = unlisted_chats.number
    join customers on customers.visitor_id = chats.visitor_id
    where unlisted_chats.started <= ? ${replacing}`);
  const listed = sqlite.prepare('delete from unlisted_chats where started <= ?');
  const counts = sqlite.prepare('select groups, chats from chat_groups where chats > 0');
  const active = sqlite.prepare(
    'select groups, count(*) as chats from chat_list indexed by chat_list_by_end where ended > ? group by groups',
  );
  const kinds = sqlite.prepare('select kind, chats from chat_kinds');
  const activeKinds = sqlite.prepare(
    'select kind, count(*) as chats from chat_list indexed by chat_list_by_end where ended > ? group by kind',
  );
  const one = sqlite.prepare('select thread_id from chat_list where chat_id = ?');
  const open = sqlite.prepare(`
    select chats.id, number, thread_id is not chats.id as is_succeeded from chats
    join customers on customers.visitor_id = chats.visitor_id
    join chat_list on chat_list.chat_id = customers.chat_id
    where chats.ended = ${openEnded} order by number`);
  const reading = (asked: string, direction: '>' | '<', order: Order) =>
    sqlite.prepare(`
      select chat_id as id, thread_id, latest, kind from chat_list
      where ${asked} and (latest, chat_id) ${direction} (?, ?) and ended <= ?
      order by latest ${order}, chat_id ${order} limit ?`);
  const readings = (asked: string) => ({ asc: reading(asked, '>', 'asc'), desc: reading(asked, '<', 'desc') });
  const ofGroups = readings('groups = ?');
  const ofKind = readings('kind = ?');
  const ofAll = readings('? is not null');

  type Reading = ReturnType<typeof readings>;
  const readEach = (
    { statements, values, fits }: { statements: Reading; values: Iterable<string>; fits?: ReadonlySet<string> },
    { order, beyond, count, ended_by = Number.MAX_SAFE_INTEGER }: ReadOptions,
  ): ListedChat[] => {
    const [latest, id] = beyond ?? (order === 'asc' ? [-1, ''] : [Number.MAX_SAFE_INTEGER, '']);
    const sign = order === 'asc' ? 1 : -1;
    // With a test of each, as many are read as it takes to find enough.
    const most = fits ? -1 : count;
    const found = [...values].flatMap((value) => {
      const rows = statements[order].iterate(value, latest, id, ended_by, most) as Iterator<unknown> as IteratorObject<
        ListedChat & { kind: string }
      >;
      return (fits ? rows.filter(({ kind }) => fits.has(kind)) : rows).take(count).toArray();
    });
    return found
      .sort((a, b) => sign * (a.latest - b.latest || (a.id < b.id ? -1 : 1)))
      .slice(0, count)
      .map(({ id: own, thread_id, latest: at }) => ({ id: own, thread_id, latest: at }));
  };

  return {
    /** Lists the chats that have begun by now; call it before reading. */
    upTo(now: number): void {
      if (!due.get(now)) return;
      inTransaction(sqlite, () => {
        list.run(now);
        listed.run(now);
      });
    },
    /** How many chats there are, by the groups that have access to them; with `active_at` those whose last thread goes on then. */
    counts(active_at?: number): Map<string, number> {
      const rows = active_at === undefined ? counts.all() : active.all(active_at);
      return new Map(rows.map(({ groups, chats }) => [String(groups), Number(chats)]));
    },
    /** The last thread of a chat. */
    threadOf: (chat_id: string): string | undefined => one.get(chat_id)?.thread_id as string | undefined,
    open: (): OpenThread[] =>
      open.all().map(({ id, number, is_succeeded }) => ({
        id: String(id),
        number: Number(number),
        is_succeeded: is_succeeded === 1,
      })),
    /** The same by kind. */
    kinds(active_at?: number): Map<string, number> {
      const rows = active_at === undefined ? kinds.all() : activeKinds.all(active_at);
      return new Map(rows.map(({ kind, chats }) => [String(kind), Number(chats)]));
    },
    /** At most so many chats of these groups beyond the key, nearest first. */
    read: (groups: readonly string[], options: ReadOptions): ListedChat[] =>
      readEach({ statements: ofGroups, values: groups }, options),
    readAll: (options: ReadOptions): ListedChat[] => readEach({ statements: ofAll, values: ['all'] }, options),
    /** The same of these kinds. Of many kinds, there are enough chats to find them among all of their groups. */
    readKinds(own: ReadonlySet<string>, options: ReadOptions): ListedChat[] {
      if (own.size <= most_kinds) return readEach({ statements: ofKind, values: own }, options);
      const groups = new Set([...own].map((kind) => JSON.stringify(kindOf(kind).groups)));
      return readEach({ statements: ofGroups, values: groups, fits: own }, options);
    },
  };
}

/** Kinds that are read one by one. */
const most_kinds = 50;

interface ReadOptions {
  order: Order;
  beyond?: ItemKey | undefined;
  count: number;
  /** Only chats whose last thread has ended by then. */
  ended_by?: number | undefined;
}

export function kindOf(kind: string): ChatKind {
  const [groups, [engagement, client_id], [is_continuous, properties]] = JSON.parse(kind) as [
    number[],
    [ChatKind['engagement'], string | null],
    [boolean, PropertyValues],
  ];
  return { groups, engagement, client_id, is_continuous, properties };
}
