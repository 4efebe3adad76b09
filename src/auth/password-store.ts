// Stores users' passwords: a hash in the login library's table, and the expiry of passwords that were assigned to a user.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

interface PasswordStore {
  /** The stored hash, or undefined without a password. */
  hashOf(user: string): string | undefined;
  /** `isGiven`: the password was assigned, and the user must choose another. */
  keep(user: string, hash: string, isGiven: boolean): void;
  /** Expiry of an assigned password, as ISO instant; undefined once the user has chosen their own. */
  givenUntil(user: string): string | undefined;
}

/** An assigned password is valid for a week. */
const given_ms = 7 * 86_400_000;

export const givenSchema = `
create table if not exists given_passwords (
  user text primary key references users (id) on delete cascade, until text not null) strict;`;

export function passwordStoreIn(database: DatabaseSync, clock: () => number): PasswordStore {
  const statement = {
    add: database.prepare(
      'insert into logins (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt") values (?, ?, \'credential\', ?, ?, ?, ?)',
    ),
    remove: database.prepare('delete from logins where "userId" = ? and "providerId" = \'credential\''),
    hash: database.prepare('select password from logins where "userId" = ? and "providerId" = \'credential\''),
    give: database.prepare(
      'insert into given_passwords (user, until) values (?, ?) on conflict do update set until = excluded.until',
    ),
    given: database.prepare('select until from given_passwords where user = ?'),
    chosen: database.prepare('delete from given_passwords where user = ?'),
  };
  const at = (later = 0): string => new Date(clock() + later).toISOString();
  return {
    hashOf(user) {
      const password = statement.hash.get(user)?.password;
      return typeof password === 'string' ? password : undefined;
    },
    keep(user, hash, isGiven) {
      statement.remove.run(user);
      statement.add.run(randomUUID(), user, user, hash, at(), at());
      if (isGiven) statement.give.run(user, at(given_ms));
      else statement.chosen.run(user);
    },
    givenUntil(user) {
      const until = statement.given.get(user)?.until;
      return typeof until === 'string' ? until : undefined;
    },
  };
}
