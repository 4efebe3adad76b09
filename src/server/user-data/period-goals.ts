// Goals of an account for periods: how much of a number is to be reached by their last day.
import type { DatabaseSync } from 'node:sqlite';
import { most_period_goals, TooMany, type PeriodGoals } from '#api/user-data.ts';
import type { GoalKind, StoredGoal } from '#reports/period-goals/goal.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists period_goals (
  id text primary key, account text not null, kind text not null, group_id integer, from_day text not null,
  to_day text not null, amount real not null, seconds integer, user text not null, created_at text not null) strict;`;

const columns = 'id, account, kind, group_id, from_day, to_day, amount, seconds, user, created_at';

export function periodGoalsIn(database: DatabaseSync, { clock, id: newId }: UserDataMeans): PeriodGoals {
  database.exec(table);
  const statement = {
    list: database.prepare(
      `select ${columns} from period_goals where account = ? order by to_day desc, from_day, created_at, id`,
    ),
    find: database.prepare(`select ${columns} from period_goals where account = ? and id = ?`),
    count: database.prepare('select count(*) as count from period_goals where account = ?'),
    add: database.prepare(`insert into period_goals (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    change: database.prepare(
      'update period_goals set kind = ?, group_id = ?, from_day = ?, to_day = ?, amount = ?, seconds = ? where account = ? and id = ?',
    ),
    remove: database.prepare('delete from period_goals where account = ? and id = ?'),
  };
  const find = (account: string, id: string): StoredGoal | undefined => {
    const found = statement.find.get(account, id);
    return found && read(found);
  };
  return {
    list: (account) => statement.list.all(account).map(read),
    find,
    save(user, { id, account, kind, group, from, to, amount, seconds }) {
      if (id !== undefined) {
        statement.change.run(kind, group, from, to, amount, seconds, account, id);
        return find(account, id);
      }
      if (Number(statement.count.get(account)?.['count']) >= most_period_goals)
        throw new TooMany(most_period_goals, 'goals of this account');
      const added = { id: newId(), created_at: new Date(clock()).toISOString() };
      statement.add.run(added.id, account, kind, group, from, to, amount, seconds, user, added.created_at);
      return { ...added, account, kind, group, from, to, amount, seconds, user };
    },
    remove: (account, id) => statement.remove.run(account, id).changes > 0,
  };
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const read = (row: Record<string, unknown>): StoredGoal => ({
  id: String(row['id']),
  account: String(row['account']),
  kind: String(row['kind']) as GoalKind,
  group: numberOrNull(row['group_id']),
  from: String(row['from_day']),
  to: String(row['to_day']),
  amount: Number(row['amount']),
  seconds: numberOrNull(row['seconds']),
  user: String(row['user']),
  created_at: String(row['created_at']),
});
