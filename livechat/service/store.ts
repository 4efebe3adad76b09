// The service's SQLite file: settings, the account's lists, days, chats with their texts, tokens. It survives restarts. The store has no
// clock: records may lie ahead, and readers show only what has happened.
import { DatabaseSync } from 'node:sqlite';
import { createBotTables } from './bot-tables.ts';
import { createChatList } from './chat-list-tables.ts';
import { createChatTables } from './chat-tables.ts';
import { createCustomerActivity } from './customer-activity-tables.ts';
import { createCustomerColumns } from './customer-columns.ts';
import { createDurability } from './durability.ts';
import { createFileReader } from './file-reader.ts';
import type { LightChat } from './light.ts';
import { createLiveTables } from './live-tables.ts';
import { createStaffTables } from './staff-tables.ts';
import type { StatusChange } from './status-changes.ts';
import { createTranscriptTables } from './transcript-tables.ts';
import type { ChatRecord, DayRecords } from './records.ts';
import { createTokenTables } from './token-tables.ts';
import { inTransaction } from './transaction.ts';
import { createWebhookTables } from './webhook-tables.ts';
import { writeAheadLog } from './write-ahead-log.ts';

/** The records of a day other than its chats. */
export type DayRest = Omit<DayRecords, 'chats'>;

const tables = `
  create table if not exists settings (name text primary key, value text not null) without rowid;
  create table if not exists days (date text primary key, rest text not null);
  create table if not exists status_changes (
    position integer primary key, agent text not null, status text not null, at integer not null, set_by text
  );
  create table if not exists removed_agents (login text primary key, at integer not null, back_at integer) without rowid;
`;

/** An agent who was removed; `back_at` is when an agent of the same login was made. Unix seconds. */
export interface Removal {
  login: string;
  at: number;
  back_at: number | null;
}

export type ChatStore = ReturnType<typeof openStore>;

/** Pages of 4096 bytes. */
const longest_log = 16_000;

/** Opens or makes the file. Another process may open it at the same time, for example to mint a token. */
export function openStore(file: string) {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000;');
  sqlite.exec(tables);
  // Files of older versions lack it.
  const is_told = sqlite.prepare("select 1 from pragma_table_info('status_changes') where name = 'set_by'").get();
  if (!is_told) sqlite.exec('alter table status_changes add column set_by text');
  const reader = createFileReader(file, sqlite);
  const chats = createChatTables(sqlite, reader);
  const live = createLiveTables(sqlite);
  const customerActivity = createCustomerActivity(sqlite);
  const log = writeAheadLog(file);
  const disk = createDurability(log.sync);
  // The process that had the file before may have died with writes that the disk lacks.
  disk.written();
  const put = {
    setting: sqlite.prepare('insert or replace into settings (name, value) values (?, ?)'),
    day: sqlite.prepare('insert into days (date, rest) values (?, ?)'),
    status: sqlite.prepare('insert into status_changes (agent, status, at, set_by) values (?, ?, ?, ?)'),
    removed: sqlite.prepare(
      'insert into removed_agents (login, at) values (?, ?) on conflict (login) do update set back_at = null',
    ),
    back: sqlite.prepare('update removed_agents set back_at = ? where login = ? and back_at is null'),
    unset: sqlite.prepare('delete from status_changes where agent = ?'),
  };
  const transaction = { look: sqlite.prepare('begin'), commit: sqlite.prepare('commit') };
  const one = {
    setting: sqlite.prepare('select value from settings where name = ?'),
  };
  const staff = createStaffTables(sqlite);
  const webhooks = createWebhookTables(sqlite);
  const transcripts = createTranscriptTables(sqlite);
  const tokens = createTokenTables(sqlite);
  if (chats.is_older) knowVisitors();
  const chatList = createChatList(sqlite);

  function knowVisitors(): void {
    inTransaction(sqlite, () => {
      for (const body of chats.bodies()) live.knowVisitor(body);
    });
  }

  const addChat = (chat: ChatRecord): LightChat => {
    live.knowVisitor(chat);
    return chats.add(chat);
  };

  /** Of a day everything but its chats. */
  const putDay = (rest: DayRest): void => void put.day.run(rest.date, JSON.stringify(rest));

  return {
    /** Agents, groups, goals, greetings, canned responses and tags. */
    staff,
    tokens,
    bots: createBotTables(sqlite),
    webhooks,
    transcripts,
    /**
     * Runs an action in one transaction, all or nothing. Once it returns, the changes survive a crash of the process; of the machine once
     * they are `settled`.
     */
    transact<T>(action: () => T): T {
      const before = chats.lastNumber();
      try {
        const done = inTransaction(sqlite, action);
        disk.written();
        return done;
      } catch (error) {
        chats.forgetAfter(before);
        webhooks.forget();
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
    /** Columns of the file that lists of customers read. */
    customerActivity,
    /** The same in memory. */
    customers: createCustomerColumns(sqlite),
    /** Writes a new chat; returns the indexed form. */
    addChat,
    changeChat: chats.change,
    lightChats: chats.light,
    body: chats.body,
    sharedBody: chats.sharedBody,
    visitsOf: chats.visitsOf,
    numbersOf: chats.numbersOf,
    from: chats.from,
    bodiesAsNow: chats.bodiesAsNow,
    putStatusChange({ agent, status, at, set_by }: StatusChange): void {
      put.status.run(agent, status, at, set_by);
    },
    statusChanges: (): StatusChange[] =>
      sqlite
        .prepare('select agent, status, at, set_by from status_changes order by at, position')
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
    putDay,
    /** Writes a whole day and its settings in one transaction; returns the chats in indexed form. */
    writeDay({ chats: records, ...rest }: DayRecords, settings: Record<string, unknown>): LightChat[] {
      const before = chats.lastNumber();
      try {
        return inTransaction(sqlite, () => {
          const lights = records.map(addChat);
          putDay(rest);
          for (const [name, value] of Object.entries(settings)) put.setting.run(name, JSON.stringify(value));
          return lights;
        });
      } catch (error) {
        chats.forgetAfter(before);
        throw error;
      }
    },
    *days(): Generator<DayRest> {
      for (const row of sqlite.prepare('select rest from days order by date').iterate()) {
        yield JSON.parse(String(row.rest)) as DayRest;
      }
    },
    /** Ends the reading of the file by a thread; call it before `close` where there may be some. */
    endReading: reader.end,
    close(): void {
      if (disk.is_pending()) log.syncNow();
      log.close();
      sqlite.close();
    },
  };
}
