// Targets of an account, as a history: each applies from a day on.
import type { DatabaseSync } from 'node:sqlite';
import { most_targets, TooMany, type Targets } from '#api/user-data.ts';
import type { TargetKind } from '#warehouse/definitions/uses.ts';
import type { StoredTarget } from '#reports/targets/target.ts';
import type { UserDataMeans } from './user-data.ts';

// One target of a number and group begins on a day: a second one takes its place.
const table = `
create table if not exists targets (
  id text primary key, account text not null, kind text not null, group_id integer, valid_from text not null,
  share real, seconds integer, user text not null, created_at text not null) strict;
create unique index if not exists targets_by_day on targets (account, kind, coalesce(group_id, -1), valid_from);`;

const columns = 'id, account, kind, group_id, valid_from, share, seconds, user, created_at';

export function targetsIn(database: DatabaseSync, { clock, id: newId }: UserDataMeans): Targets {
  database.exec(table);
  const statement = {
    list: database.prepare(
      `select ${columns} from targets where account = ? order by kind, coalesce(group_id, -1), valid_from`,
    ),
    find: database.prepare(`select ${columns} from targets where account = ? and id = ?`),
    count: database.prepare('select count(*) as count from targets where account = ?'),
    same: database.prepare(
      `select ${columns} from targets where account = ? and kind = ? and group_id is ? and valid_from = ?`,
    ),
    add: database.prepare(`insert into targets (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    change: database.prepare('update targets set share = ?, seconds = ?, user = ?, created_at = ? where id = ?'),
    remove: database.prepare('delete from targets where account = ? and id = ?'),
  };
  const find = (account: string, id: string): StoredTarget | undefined => {
    const found = statement.find.get(account, id);
    return found && read(found);
  };
  return {
    list: (account) => statement.list.all(account).map(read),
    find,
    save(user, { account, kind, group, valid_from, share, seconds }) {
      const at = new Date(clock()).toISOString();
      const same = statement.same.get(account, kind, group, valid_from);
      if (same) statement.change.run(share, seconds, user, at, String(same['id']));
      else if (Number(statement.count.get(account)?.['count']) >= most_targets)
        throw new TooMany(most_targets, 'targets of this account');
      const id = same ? String(same['id']) : newId();
      if (!same) statement.add.run(id, account, kind, group, valid_from, share, seconds, user, at);
      return { id, account, kind, group, valid_from, share, seconds, user, created_at: at };
    },
    remove: (account, id) => statement.remove.run(account, id).changes > 0,
  };
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const read = (row: Record<string, unknown>): StoredTarget => ({
  id: String(row['id']),
  account: String(row['account']),
  kind: String(row['kind']) as TargetKind,
  group: numberOrNull(row['group_id']),
  valid_from: String(row['valid_from']),
  share: numberOrNull(row['share']),
  seconds: numberOrNull(row['seconds']),
  user: String(row['user']),
  created_at: String(row['created_at']),
});
