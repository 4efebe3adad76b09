// The bots of the account as a SQLite table, each with the client that owns it.
import type { DatabaseSync } from 'node:sqlite';

interface BotRow {
  /** 32 hexadecimal digits. */
  id: string;
  name: string;
  owner_client_id: string;
}

type BotStatus = 'accepting_chats' | 'not_accepting_chats' | 'offline';

const columns = 'id, name, owner_client_id';

/** Reads and writes the bots; the caller opens the transaction before writing. */
export function createBotTables(sqlite: DatabaseSync) {
  sqlite.exec(`
    create table if not exists bots (
      position integer primary key autoincrement, id text not null unique, name text not null, owner_client_id text not null
    );
    create index if not exists bots_of_client on bots (owner_client_id);
    create table if not exists bot_statuses (id text primary key, status text not null) without rowid;
  `);
  const add = sqlite.prepare(`insert into bots (${columns}) values (?, ?, ?)`);
  const remove = sqlite.prepare('delete from bots where id = ?');
  const one = sqlite.prepare(`select ${columns} from bots where id = ?`);
  const all = sqlite.prepare(`select ${columns} from bots order by position`);
  const ofClient = sqlite.prepare(`select ${columns} from bots where owner_client_id = ? order by position`);
  const putStatus = sqlite.prepare('insert or replace into bot_statuses (id, status) values (?, ?)');
  const status = sqlite.prepare('select status from bot_statuses where id = ?');
  return {
    /** Whether the bot accepts chats, as it was set last; a bot of which nothing was set is offline, an agent has none. */
    status(id: string): BotStatus | undefined {
      if (!one.get(id)) return undefined;
      return (status.get(id)?.status as BotStatus | undefined) ?? 'offline';
    },
    putStatus(id: string, given: BotStatus): void {
      putStatus.run(id, given);
    },
    add({ id, name, owner_client_id }: BotRow): void {
      add.run(id, name, owner_client_id);
    },
    remove(id: string): void {
      remove.run(id);
    },
    one: (id: string): BotRow | undefined => one.get(id) as BotRow | undefined,
    all: (): BotRow[] => all.all() as unknown as BotRow[],
    ofClient: (client_id: string): BotRow[] => ofClient.all(client_id) as unknown as BotRow[],
  };
}
