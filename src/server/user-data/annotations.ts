// Notes on days of an account: what happened that a chart cannot know.
import type { DatabaseSync } from 'node:sqlite';
import type { Annotation } from '#api/contract/user-data.ts';
import { most_annotations, TooMany, type AnnotationStore } from '#api/user-data.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists annotations (
  id text primary key, account text not null, day text not null, text text not null, user text not null,
  created_at text not null) strict;
create index if not exists annotations_by_day on annotations (account, day);`;

const columns = 'id, account, day, text, user, created_at';

export function annotationsIn(database: DatabaseSync, { clock, id: newId }: UserDataMeans): AnnotationStore {
  database.exec(table);
  const statement = {
    list: database.prepare(
      `select ${columns} from annotations where account = ? and day between ? and ? order by day, created_at, id`,
    ),
    find: database.prepare(`select ${columns} from annotations where account = ? and id = ?`),
    count: database.prepare('select count(*) as count from annotations where account = ?'),
    add: database.prepare(`insert into annotations (${columns}) values (?, ?, ?, ?, ?, ?)`),
    change: database.prepare('update annotations set day = ?, text = ? where account = ? and id = ?'),
    remove: database.prepare('delete from annotations where account = ? and id = ?'),
  };
  return {
    list: (account, from = '0000-01-01', to = '9999-12-31') => statement.list.all(account, from, to).map(read),
    save(user, { id, account, day, text }) {
      if (id === undefined) {
        if (Number(statement.count.get(account)?.['count']) >= most_annotations)
          throw new TooMany(most_annotations, 'notes on days of this account');
        const added = { id: newId(), account, day, text, user, created_at: new Date(clock()).toISOString() };
        statement.add.run(added.id, account, day, text, user, added.created_at);
        return added;
      }
      statement.change.run(day, text, account, id);
      const changed = statement.find.get(account, id);
      return changed && read(changed);
    },
    remove: (account, id) => statement.remove.run(account, id).changes > 0,
  };
}

const read = (row: Record<string, unknown>): Annotation => ({
  id: String(row['id']),
  account: String(row['account']),
  day: String(row['day']),
  text: String(row['text']),
  user: String(row['user']),
  created_at: String(row['created_at']),
});
