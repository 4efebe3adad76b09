// The service's SQLite file: settings, the account's lists, days, chats with their texts, tokens. It survives restarts. The store has no
// clock: records may lie ahead, and readers show only what has happened.
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { createBotTables } from './bot-tables.ts';
import { createChatList } from './chat-list-tables.ts';
import { createCustomerActivity } from './customer-activity-tables.ts';
import { createDurability } from './durability.ts';
import { lightOf, type LightChat } from './light.ts';
import { createLiveTables } from './live-tables.ts';
import { createStaffTables } from './staff-tables.ts';
import type { StatusChange } from './status-changes.ts';
import { openEnded, type ChatRecord, type DayRecords } from './records.ts';
import { createTokenTables } from './token-tables.ts';
import { createVisits, type Visit } from './visits.ts';
import { createWebhookTables } from './webhook-tables.ts';

/** The records of a day other than its chats. */
export type DayRest = Omit<DayRecords, 'chats'>;

interface PlaceFilter {
  visitor_id?: string | undefined;
  city?: string | undefined;
  region?: string | undefined;
  country?: string | undefined;
}

const tables = `
  create table if not exists settings (name text primary key, value text not null) without rowid;
  create table if not exists days (date text primary key, rest text not null);
  create table if not exists chats (
    number integer primary key, id text not null, started integer not null, ended integer not null,
    visitor_id text not null, city text not null, region text not null, country text not null, light text not null,
    agent_last integer, customer_last integer
  );
  create index if not exists chats_of_visitor on chats (visitor_id, started);
  create index if not exists chats_by_id on chats (id);
  create index if not exists chats_open on chats (number) where ended = ${openEnded};
  create table if not exists bodies (number integer primary key, body text not null);
  create table if not exists status_changes (
    position integer primary key, agent text not null, status text not null, at integer not null
  );
  create table if not exists removed_agents (login text primary key, at integer not null, back_at integer) without rowid;
`;

/** A file of an older version, which knew no customers. */
function lacksLastLines(sqlite: DatabaseSync): boolean {
  const columns = sqlite
    .prepare("select name from pragma_table_info('chats')")
    .all()
    .map(({ name }) => name);
  return columns.length > 0 && !columns.includes('agent_last');
}

/** Instants of the last lines of each side, null without any. */
function lastLines({ events }: ChatRecord): Record<'agent_last' | 'customer_last', number | null> {
  const latest = (user_type: string): number | null => {
    const instants = events.flatMap((each) => (each.type !== 'event' && each.user_type === user_type ? each.at : []));
    return instants.length > 0 ? Math.max(...instants) : null;
  };
  return { agent_last: latest('agent'), customer_last: latest('visitor') };
}

/** An agent who was removed; `back_at` is when an agent of the same login was made. Unix seconds. */
export interface Removal {
  login: string;
  at: number;
  back_at: number | null;
}

export type ChatStore = ReturnType<typeof openStore>;

/** The file to which SQLite writes first. It stays the same one while the database is open. */
function writeAheadLog(file: string) {
  let opened: number | undefined;
  const handle = (): number => (opened ??= openSync(`${file}-wal`, 'r+'));
  const is_file = file !== ':memory:';
  return {
    sync: async (): Promise<void> => {
      if (is_file) await promisify(fdatasync)(handle());
    },
    syncNow(): void {
      if (is_file) fdatasyncSync(handle());
    },
    close(): void {
      if (opened !== undefined) closeSync(opened);
    },
  };
}

/** Pages of 4096 bytes. */
const longest_log = 16_000;

/** Opens or makes the file. Another process may open it at the same time, for example to mint a token. */
export function openStore(file: string) {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000;');
  const is_older = lacksLastLines(sqlite);
  if (is_older)
    sqlite.exec('alter table chats add column agent_last integer; alter table chats add column customer_last integer');
  sqlite.exec(tables);
  const live = createLiveTables(sqlite);
  const customerActivity = createCustomerActivity(sqlite);
  const log = writeAheadLog(file);
  const disk = createDurability(log.sync);
  // The process that had the file before may have died with writes that the disk lacks.
  disk.written();
  const put = {
    setting: sqlite.prepare('insert or replace into settings (name, value) values (?, ?)'),
    day: sqlite.prepare('insert into days (date, rest) values (?, ?)'),
    chat: sqlite.prepare(
      'insert into chats (number, id, started, ended, visitor_id, city, region, country, light, agent_last, customer_last)' +
        ' values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    body: sqlite.prepare('insert into bodies (number, body) values (?, ?)'),
    /** Changes of when it began or ended write the indexes too. */
    changed: sqlite.prepare(
      'update chats set light = ?, agent_last = ?, customer_last = ? where number = ? and started = ? and ended = ?',
    ),
    moved: sqlite.prepare(
      'update chats set light = ?, agent_last = ?, customer_last = ?, started = ?, ended = ? where number = ?',
    ),
    changedBody: sqlite.prepare('update bodies set body = ? where number = ?'),
    status: sqlite.prepare('insert into status_changes (agent, status, at) values (?, ?, ?)'),
    removed: sqlite.prepare(
      'insert into removed_agents (login, at) values (?, ?) on conflict (login) do update set back_at = null',
    ),
    back: sqlite.prepare('update removed_agents set back_at = ? where login = ? and back_at is null'),
    unset: sqlite.prepare('delete from status_changes where agent = ?'),
  };
  const transaction = {
    begin: sqlite.prepare('begin immediate'),
    look: sqlite.prepare('begin'),
    commit: sqlite.prepare('commit'),
    rollback: sqlite.prepare('rollback'),
  };
  const one = {
    setting: sqlite.prepare('select value from settings where name = ?'),
    body: sqlite.prepare('select body from bodies where number = ?'),
  };
  const visits = createVisits(
    sqlite.prepare('select id, started, ended from chats where visitor_id = ? order by started, id'),
  );
  const staff = createStaffTables(sqlite);
  const webhooks = createWebhookTables(sqlite);
  const tokens = createTokenTables(sqlite);
  let last = Number(sqlite.prepare('select coalesce(max(number), 0) as last from bodies').get()?.last);

  const writeChat = (chat: ChatRecord): LightChat => {
    const number = ++last;
    const light = lightOf(chat, number);
    const { id, city, region, country } = chat.visitor;
    const { agent_last, customer_last } = lastLines(chat);
    put.chat.run(
      ...[number, chat.id, chat.started, chat.ended, id, city, region, country, JSON.stringify(light)],
      ...[agent_last, customer_last],
    );
    put.body.run(number, JSON.stringify(chat));
    visits.forget(id);
    live.knowVisitor(chat);
    return light;
  };

  if (is_older) fillLastLines();
  const chatList = createChatList(sqlite);

  function fillLastLines(): void {
    const fill = sqlite.prepare('update chats set agent_last = ?, customer_last = ? where number = ?');
    sqlite.exec('begin immediate');
    for (const row of sqlite.prepare('select number, body from bodies').all()) {
      const chat = JSON.parse(String(row.body)) as ChatRecord;
      const { agent_last, customer_last } = lastLines(chat);
      fill.run(agent_last, customer_last, Number(row.number));
      live.knowVisitor(chat);
    }
    sqlite.exec('commit');
  }

  return {
    /** Agents, groups, goals, greetings, canned responses and tags. */
    staff,
    tokens,
    bots: createBotTables(sqlite),
    webhooks,
    /**
     * Runs an action in one transaction, all or nothing. Once it returns, the changes survive a crash of the process; of the machine once
     * they are `settled`.
     */
    transact<T>(action: () => T): T {
      const before = last;
      transaction.begin.run();
      try {
        const done = action();
        transaction.commit.run();
        disk.written();
        return done;
      } catch (error) {
        transaction.rollback.run();
        visits.forgetAll();
        webhooks.forget();
        last = before;
        throw error;
      }
    },
    /** Runs many statements that only read, all of one state: each by itself would take and give back the lock. */
    reading<T>(read: () => T): T {
      if (sqlite.isTransaction) return read();
      transaction.look.run();
      try {
        return read();
      } finally {
        transaction.commit.run();
      }
    },
    /** Resolves once what was written survives a crash of the machine. */
    settled: disk.settled,
    /** Somebody else makes checkpoints; a commit makes one where the log has grown too long nevertheless. */
    leaveCheckpoints(): void {
      sqlite.exec(`pragma wal_autocheckpoint = ${longest_log}`);
    },
    /** Customers, chats of the v3 APIs, and threads that no report counts. */
    live,
    /** Chats of the v3 APIs in the order of their last threads. */
    chatList,
    /** What lists of customers are in order of. */
    customerActivity,
    /** Writes a new chat; returns the indexed form. */
    addChat: writeChat,
    /** Replaces a chat under its number; returns the indexed form. */
    changeChat(number: number, chat: ChatRecord): LightChat {
      const light = lightOf(chat, number);
      const { agent_last, customer_last } = lastLines(chat);
      const { started, ended } = chat;
      const values = [JSON.stringify(light), agent_last, customer_last];
      const { changes } = put.changed.run(...values, number, started, ended);
      if (changes === 0) put.moved.run(...values, started, ended, number);
      put.changedBody.run(JSON.stringify(chat), number);
      visits.forget(chat.visitor.id);
      return light;
    },
    putStatusChange({ agent, status, at }: StatusChange): void {
      put.status.run(agent, status, at);
    },
    statusChanges: (): StatusChange[] =>
      sqlite
        .prepare('select agent, status, at from status_changes order by at, position')
        .all() as unknown as StatusChange[],
    /** Records that the agent was removed, and deletes their tokens and the statuses they were set to. */
    putRemovedAgent(login: string, at: number): void {
      put.removed.run(login, at);
      tokens.removeOf(login);
      put.unset.run(login);
    },
    /** Records that there is an agent of this login again. */
    putReturnedAgent(login: string, at: number): void {
      put.back.run(at, login);
    },
    /** Agents who were removed, also those who came back, each with both instants. */
    removals: (): Removal[] =>
      sqlite.prepare('select login, at, back_at from removed_agents').all() as unknown as Removal[],
    /** A setting as the JSON value that was stored, or undefined. */
    setting(name: string): unknown {
      const row = one.setting.get(name);
      return row ? JSON.parse(String(row.value)) : undefined;
    },
    putSetting(name: string, value: unknown): void {
      put.setting.run(name, JSON.stringify(value));
    },
    /** Writes a whole day and its settings in one transaction; returns the chats in indexed form. */
    writeDay({ chats, ...rest }: DayRecords, settings: Record<string, unknown>): LightChat[] {
      const before = last;
      sqlite.exec('begin immediate');
      try {
        const lights = chats.map(writeChat);
        put.day.run(rest.date, JSON.stringify(rest));
        for (const [name, value] of Object.entries(settings)) put.setting.run(name, JSON.stringify(value));
        sqlite.exec('commit');
        return lights;
      } catch (error) {
        sqlite.exec('rollback');
        visits.forgetAll();
        last = before;
        throw error;
      }
    },
    *days(): Generator<DayRest> {
      for (const row of sqlite.prepare('select rest from days order by date').iterate()) {
        yield JSON.parse(String(row.rest)) as DayRest;
      }
    },
    *lightChats(): Generator<LightChat> {
      for (const row of sqlite.prepare('select light from chats order by number').iterate()) {
        yield JSON.parse(String(row.light)) as LightChat;
      }
    },
    body(number: number): ChatRecord {
      return JSON.parse(String(one.body.get(number)?.body)) as ChatRecord;
    },
    /** Every chat of a visitor in order, those ahead of the clock too. */
    visitsOf: (visitor_id: string): readonly Visit[] => visits.of(visitor_id),
    /** Numbers of the chats with a matching visitor; places are compared without regard to ASCII case. */
    numbersOf(filter: PlaceFilter): Set<number> {
      const asked = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const fits = asked.map(([column]) => `${column} = ?${column === 'visitor_id' ? '' : ' collate nocase'}`);
      const found = sqlite.prepare(`select number from chats where ${fits.join(' and ')}`);
      return new Set(found.all(...asked.map(([, value]) => value)).map((row) => Number(row.number)));
    },
    /** Bodies that contain `part` (ASCII letters and digits only) in any case: a superset of the search results. */
    *bodiesWith(part: string): Generator<{ number: number; body: ChatRecord }> {
      const found = sqlite.prepare("select number, body from bodies where body like '%' || ? || '%' order by number");
      for (const row of found.iterate(part)) {
        yield { number: Number(row.number), body: JSON.parse(String(row.body)) as ChatRecord };
      }
    },
    close(): void {
      if (disk.is_pending()) log.syncNow();
      log.close();
      sqlite.close();
    },
  };
}
