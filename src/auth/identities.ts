// By which identities at providers users sign in, by issuer and subject.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from './audit.ts';
import { BadUser } from './errors.ts';
import type { Identity } from './oidc.ts';
import { inTransaction } from './transaction.ts';

export interface LinkedIdentity extends Identity {
  /** Id of the link. */
  id: string;
}

interface Identities {
  /** Id of the user who signs in by it. */
  userOf(identity: Identity): string | undefined;
  /** Identities of one user. */
  of(user: string): LinkedIdentity[];
  /** Errors: BadUser, if it is already linked. */
  link(user: { id: string; email: string }, identity: Identity): void;
  /**
   * `linked`: id of the link; `hasPassword`: the user can sign in with a password. Returns whether the link existed. Errors: BadUser, if
   * no way to sign in would remain.
   */
  unlink(user: { id: string; email: string }, linked: string, hasPassword: boolean): boolean;
}

export function identitiesIn(database: DatabaseSync, { record }: Audit, clock: () => number): Identities {
  const statement = {
    add: database.prepare(
      'insert into logins (id, "accountId", "providerId", "userId", "createdAt", "updatedAt") values (?, ?, ?, ?, ?, ?)',
    ),
    remove: database.prepare('delete from logins where "userId" = ? and id = ? and "providerId" <> \'credential\''),
    find: database.prepare('select "userId" from logins where "providerId" = ? and "accountId" = ?'),
    of: database.prepare(
      'select id, "providerId", "accountId" from logins where "userId" = ? and "providerId" <> \'credential\' order by 1, 2',
    ),
  };
  const userOf = ({ issuer, subject }: Identity): string | undefined => {
    const row = statement.find.get(issuer, subject);
    return row && String(row.userId);
  };
  const of = (user: string): LinkedIdentity[] =>
    statement.of
      .all(user)
      .map((row) => ({ id: String(row.id), issuer: String(row.providerId), subject: String(row.accountId) }));
  return {
    ...{ userOf, of },
    link: ({ id, email }, identity) =>
      inTransaction(database, () => {
        if (userOf(identity) !== undefined) throw new BadUser('identity', 'this identity is linked to a user already');
        const { issuer, subject } = identity;
        const at = new Date(clock()).toISOString();
        statement.add.run(randomUUID(), subject, issuer, id, at, at);
        record({ action: 'identity.linked', about: `${email}: ${subject} at ${issuer}` });
      }),
    unlink: ({ id, email }, linked, hasPassword) =>
      inTransaction(database, () => {
        const all = of(id);
        const found = all.find((one) => one.id === linked);
        if (!found) return false;
        if (!hasPassword && all.length === 1)
          throw new BadUser('identity', 'it is the only way in: let an admin set a password first');
        statement.remove.run(id, linked);
        record({ action: 'identity.unlinked', about: `${email}: ${found.subject} at ${found.issuer}` });
        return true;
      }),
  };
}
