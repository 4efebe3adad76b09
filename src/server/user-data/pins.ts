// Each user's pinned menu entries: saved views and boards.
import type { DatabaseSync } from 'node:sqlite';
import type { Pin } from '#api/contract/user-data.ts';
import { most_pins, TooMany, type PinStore } from '#api/user-data.ts';

const table = `
create table if not exists pins (
  n integer primary key, user text not null, kind text not null, target text not null,
  unique (user, kind, target)) strict;`;

/** After the tables of views and boards are there. */
export function pinsIn(database: DatabaseSync): PinStore {
  database.exec(table);
  const statement = {
    list: database.prepare(`
      select pins.n, 'view' as kind, views.id, views.name, views.address
      from pins join views on pins.kind = 'view' and views.id = pins.target and views.user = pins.user
      where pins.user = ?
      union all
      select pins.n, 'board', boards.id, boards.title, '/board/' || boards.id
      from pins join boards on pins.kind = 'board' and boards.id = pins.target
      where pins.user = ? and (boards.user = pins.user or boards.is_shared = 1)
      order by 1`),
    add: database.prepare('insert or ignore into pins (user, kind, target) values (?, ?, ?)'),
    remove: database.prepare('delete from pins where user = ? and kind = ? and target = ?'),
    handOver: database.prepare('update or ignore pins set user = ? where user = ?'),
    forget: database.prepare('delete from pins where user = ?'),
  };
  const list = (user: string): Pin[] =>
    statement.list.all(user, user).map(({ kind, id, name, address }) => ({
      ...{ kind: kind as Pin['kind'], id: String(id) },
      ...{ name: String(name), address: String(address) },
    }));
  return {
    list,
    add(user, kind, id) {
      const pins = list(user);
      if (pins.length >= most_pins && !pins.some((pin) => pin.kind === kind && pin.id === id))
        throw new TooMany(most_pins, 'views and boards in your menu');
      statement.add.run(user, kind, id);
    },
    remove: (user, kind, id) => void statement.remove.run(user, kind, id),
    handOver: (from, to) => void statement.handOver.run(to, from),
    forget: (user) => void statement.forget.run(user),
  };
}
