// The boards that people keep: a title and panels by name, for one person or for everybody.
import type { DatabaseSync } from 'node:sqlite';
import type { Placed } from '#dashboards/boards.ts';
import {
  ChangedMeanwhile,
  most_boards,
  most_shared_boards,
  NameTaken,
  TooMany,
  type BoardStore,
  type StoredBoard,
} from '#api/user-data.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists boards (
  id text primary key, user text not null, title text not null, is_shared integer not null, panels text not null,
  version integer not null, created_at text not null, changed_at text not null) strict;
create index if not exists boards_by_user on boards (user);`;

const columns = 'id, user, title, is_shared, panels, version, changed_at';

export function boardsIn(database: DatabaseSync, { clock, id: newId }: UserDataMeans): BoardStore {
  database.exec(table);
  const statement = {
    list: database.prepare(
      `select ${columns} from boards where user = ? or is_shared = 1 order by title collate nocase, id`,
    ),
    find: database.prepare(`select ${columns} from boards where id = ?`),
    named: database.prepare('select id from boards where user = ? and title = ?'),
    count: database.prepare('select count(*) as count from boards where user = ?'),
    shared: database.prepare('select count(*) as count from boards where is_shared = 1'),
    add: database.prepare(
      'insert into boards (id, user, title, is_shared, panels, version, created_at, changed_at) values (?, ?, ?, ?, ?, 1, ?, ?)',
    ),
    change: database.prepare(
      'update boards set title = ?, is_shared = ?, panels = ?, version = version + 1, changed_at = ? where id = ?',
    ),
    remove: database.prepare('delete from boards where id = ?'),
    handOver: database.prepare('update boards set user = ? where user = ?'),
    forget: database.prepare('delete from boards where user = ? and is_shared = 0'),
    leave: database.prepare("update boards set user = '' where user = ?"),
  };
  const find = (id: string): StoredBoard | undefined => {
    const row = statement.find.get(id);
    return row && read(row);
  };
  function assertNamed(user: string, title: string, id?: string): void {
    const namesake = user === '' ? undefined : statement.named.get(user, title);
    if (namesake && namesake['id'] !== id) throw new NameTaken(title);
  }
  function assertRoomForAll(): void {
    if (Number(statement.shared.get()?.['count']) >= most_shared_boards)
      throw new TooMany(most_shared_boards, 'boards that everybody sees');
  }
  return {
    list: (user) => statement.list.all(user).map(read),
    find,
    add(user, { title, is_shared, panels }) {
      assertNamed(user, title);
      if (Number(statement.count.get(user)?.['count']) >= most_boards)
        throw new TooMany(most_boards, 'boards of yours');
      if (is_shared) assertRoomForAll();
      const [id, now] = [newId(), new Date(clock()).toISOString()];
      statement.add.run(id, user, title, Number(is_shared), JSON.stringify(panels), now, now);
      return { id, owner: user, title, is_shared, panels, version: 1, changed_at: now };
    },
    change(id, version, { title, is_shared, panels }) {
      const before = find(id);
      if (!before) return undefined;
      if (before.version !== version) throw new ChangedMeanwhile();
      assertNamed(before.owner, title, id);
      if (is_shared && !before.is_shared) assertRoomForAll();
      statement.change.run(title, Number(is_shared), JSON.stringify(panels), new Date(clock()).toISOString(), id);
      return find(id);
    },
    remove: (id) => statement.remove.run(id).changes > 0,
    handOver: (from, to) => void statement.handOver.run(to, from),
    forget(user) {
      statement.forget.run(user);
      statement.leave.run(user);
    },
  };
}

const read = (row: Record<string, unknown>): StoredBoard => ({
  id: String(row['id']),
  owner: String(row['user']),
  title: String(row['title']),
  is_shared: row['is_shared'] === 1,
  panels: JSON.parse(String(row['panels'])) as Placed[],
  version: Number(row['version']),
  changed_at: String(row['changed_at']),
});
