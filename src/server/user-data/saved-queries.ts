// The queries that people save: a name, a statement and values of its parameters, for one person or for all who may run SQL.
import type { DatabaseSync } from 'node:sqlite';
import type { ParameterValues } from '#api/contract/sql.ts';
import {
  ChangedMeanwhile,
  most_queries,
  most_shared_queries,
  NameTaken,
  TooMany,
  type QueryStore,
  type StoredQuery,
} from '#api/user-data.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists saved_queries (
  id text primary key, user text not null, name text not null, statement text not null, parameters text not null, chart text,
  is_shared integer not null, version integer not null, created_at text not null, changed_at text not null) strict;
create index if not exists saved_queries_by_user on saved_queries (user);`;

const columns = 'id, user, name, statement, parameters, chart, is_shared, version, changed_at';

export function savedQueriesIn(database: DatabaseSync, { clock, id: newId }: UserDataMeans): QueryStore {
  database.exec(table);
  addChart(database);
  const statements = {
    list: database.prepare(
      `select ${columns} from saved_queries where user = ? or is_shared = 1 order by name collate nocase, id`,
    ),
    find: database.prepare(`select ${columns} from saved_queries where id = ?`),
    named: database.prepare('select id from saved_queries where user = ? and name = ?'),
    count: database.prepare('select count(*) as count from saved_queries where user = ?'),
    shared: database.prepare('select count(*) as count from saved_queries where is_shared = 1'),
    add: database.prepare(`insert into saved_queries (${columns}, created_at) values (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`),
    change: database.prepare(
      'update saved_queries set name = ?, statement = ?, parameters = ?, chart = ?, is_shared = ?, version = version + 1, changed_at = ? where id = ?',
    ),
    remove: database.prepare('delete from saved_queries where id = ?'),
    handOver: database.prepare('update saved_queries set user = ? where user = ?'),
    forget: database.prepare('delete from saved_queries where user = ? and is_shared = 0'),
    leave: database.prepare("update saved_queries set user = '' where user = ?"),
  };
  const find = (id: string): StoredQuery | undefined => {
    const row = statements.find.get(id);
    return row && read(row);
  };
  function assertNamed(user: string, name: string, id?: string): void {
    const namesake = user === '' ? undefined : statements.named.get(user, name);
    if (namesake && namesake['id'] !== id) throw new NameTaken(name);
  }
  function assertRoomForAll(): void {
    if (Number(statements.shared.get()?.['count']) >= most_shared_queries)
      throw new TooMany(most_shared_queries, 'shared queries');
  }
  return {
    list: (user) => statements.list.all(user).map(read),
    find,
    add(user, { name, statement, parameters, chart = null, is_shared }) {
      assertNamed(user, name);
      if (Number(statements.count.get(user)?.['count']) >= most_queries)
        throw new TooMany(most_queries, 'saved queries of yours');
      if (is_shared) assertRoomForAll();
      const [id, now] = [newId(), new Date(clock()).toISOString()];
      const drawn = JSON.stringify(chart);
      statements.add.run(id, user, name, statement, JSON.stringify(parameters), drawn, Number(is_shared), now, now);
      return { id, owner: user, name, statement, parameters, chart, is_shared, version: 1, changed_at: now };
    },
    change(id, version, { name, statement, parameters, chart = null, is_shared }) {
      const before = find(id);
      if (!before) return undefined;
      if (before.version !== version) throw new ChangedMeanwhile();
      assertNamed(before.owner, name, id);
      if (is_shared && !before.is_shared) assertRoomForAll();
      const now = new Date(clock()).toISOString();
      const drawn = JSON.stringify(chart);
      statements.change.run(name, statement, JSON.stringify(parameters), drawn, Number(is_shared), now, id);
      return find(id);
    },
    remove: (id) => statements.remove.run(id).changes > 0,
    handOver: (from, to) => void statements.handOver.run(to, from),
    forget(user) {
      statements.forget.run(user);
      statements.leave.run(user);
    },
  };
}

/** A file from before charts were saved gets the column; a program from then goes on to write it without. */
function addChart(database: DatabaseSync): void {
  const found = database.prepare('pragma table_info(saved_queries)').all();
  if (!found.some(({ name }) => name === 'chart')) database.exec('alter table saved_queries add column chart text');
}

const read = (row: Record<string, unknown>): StoredQuery => ({
  id: String(row['id']),
  owner: String(row['user']),
  name: String(row['name']),
  statement: String(row['statement']),
  parameters: JSON.parse(String(row['parameters'])) as ParameterValues,
  chart: JSON.parse(String(row['chart'] ?? 'null')) as StoredQuery['chart'],
  is_shared: row['is_shared'] === 1,
  version: Number(row['version']),
  changed_at: String(row['changed_at']),
});
