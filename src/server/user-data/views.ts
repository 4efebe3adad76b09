// The saved views of each reader: a name and the address of a page with its filters.
import type { DatabaseSync } from 'node:sqlite';
import type { View } from '#api/contract/user-data.ts';
import { most_views, NameTaken, TooMany, type ViewStore } from '#api/user-data.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists views (
  id text primary key, user text not null, name text not null, address text not null, created_at text not null,
  unique (user, name)) strict;`;

export function viewsIn(database: DatabaseSync, { clock, id: newId }: UserDataMeans): ViewStore {
  database.exec(table);
  const statement = {
    list: database.prepare(
      'select id, name, address, created_at from views where user = ? order by name collate nocase',
    ),
    find: database.prepare('select id, name, address, created_at from views where user = ? and id = ?'),
    named: database.prepare('select id from views where user = ? and name = ?'),
    count: database.prepare('select count(*) as count from views where user = ?'),
    add: database.prepare('insert into views (id, user, name, address, created_at) values (?, ?, ?, ?, ?)'),
    change: database.prepare('update views set name = ?, address = ? where user = ? and id = ?'),
    forget: database.prepare('delete from views where user = ?'),
    handOver: database.prepare('update or ignore views set user = ? where user = ?'),
    remove: database.prepare('delete from views where user = ? and id = ?'),
  };
  const read = (row: Record<string, unknown>): View => ({
    id: String(row['id']),
    name: String(row['name']),
    address: String(row['address']),
    created_at: String(row['created_at']),
  });
  return {
    list: (user) => statement.list.all(user).map(read),
    save(user, { id, name, address }) {
      const namesake = statement.named.get(user, name);
      if (namesake && namesake['id'] !== id) throw new NameTaken(name);
      if (id === undefined) {
        if (Number(statement.count.get(user)?.['count']) >= most_views) throw new TooMany(most_views, 'saved views');
        const added = { id: newId(), name, address, created_at: new Date(clock()).toISOString() };
        statement.add.run(added.id, user, name, address, added.created_at);
        return added;
      }
      statement.change.run(name, address, user, id);
      const changed = statement.find.get(user, id);
      return changed && read(changed);
    },
    handOver: (from, to) => void statement.handOver.run(to, from),
    forget: (user) => void statement.forget.run(user),
    remove: (user, id) => statement.remove.run(user, id).changes > 0,
  };
}
