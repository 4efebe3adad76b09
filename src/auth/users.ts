// Users: identity, role and visible rows. Changes take effect with the next request.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from './audit.ts';
import type { KnownUser, Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { identitiesIn, type LinkedIdentity } from './identities.ts';
import { passwordStoreIn } from './password-store.ts';
import type { Identity } from './oidc.ts';
import { hashed, objectionToPassword } from './passwords.ts';
import { requires, rightNames, roleNames, roles, type Right } from './rights.ts';
import { inTransaction } from './transaction.ts';
import { describedRows, rowsShape, type UserInput } from './user-shape.ts';

export interface StoredUser extends KnownUser {
  created_at: string;
  /** ISO instant of the last visit, to the day; null: never. */
  last_seen_at: string | null;
}

const rightsIn = (text: string): Right[] => rightNames.filter((name) => (JSON.parse(text) as unknown[]).includes(name));

/** Rights and rows, described for the audit. */
const described = ({ role, extra_rights, rows }: Pick<KnownUser, 'role' | 'extra_rights' | 'rows'>): string =>
  [role, ...extra_rights.map((right) => `also ${right}`), ...describedRows(rows)].join(', ');

function knownIn(row: Readonly<Record<string, unknown>>): KnownUser {
  const role = roleNames.find((name) => name === row.role) ?? 'viewer';
  const rows: Rows = rowsShape.parse(JSON.parse(String(row.rows)));
  const extra_rights = rightsIn(String(row.extra_rights));
  return { id: String(row.id), email: String(row.email), name: String(row.name), role, extra_rights, rows };
}

/** What does not go together. Errors: BadUser. */
function checked({ role, extra_rights, rows, ...others }: UserInput): UserInput {
  if (role === 'agent' && rows.agent === undefined)
    throw new BadUser('agent', 'the role agent needs the login of the agent whose chats these are');
  if (role !== 'agent' && rows.agent !== undefined)
    throw new BadUser('agent', `only the role agent has own chats, not ${role}`);
  if (role === 'admin' && (rows.groups ?? rows.accounts))
    throw new BadUser('groups', 'an admin sees everything: choose another role for a part');
  const own: readonly Right[] = roles[role];
  const extra = extra_rights.filter((right) => !own.includes(right));
  for (const right of extra) {
    const needed = requires[right];
    if (needed && ![...own, ...extra].includes(needed)) throw new BadUser('extra_rights', `${right} needs ${needed}`);
  }
  return { ...others, role, extra_rights: extra, rows };
}

export interface UserStore {
  /** By name. */
  list(): StoredUser[];
  find(id: string): StoredUser | undefined;
  byEmail(email: string): StoredUser | undefined;
  /** Errors: BadUser. */
  named(email: string): StoredUser;
  byIdentity(identity: Identity): StoredUser | undefined;
  /** Identities of one user. */
  identities(id: string): LinkedIdentity[];
  /** Errors: BadUser, if it is already linked. */
  link(id: string, identity: Identity): void;
  /** `linked`: id of the link. Whether there was one. Errors: BadUser, when nothing would be left to sign in with. */
  unlink(id: string, linked: string, how: { hasPasswords: boolean }): boolean;
  /**
   * `password` is null for users who sign in by `identity` alone; `isFirst`: only while there are no users; `isGiven`: the user must
   * choose another. Errors: BadUser.
   */
  add(
    user: UserInput,
    password: string | null,
    how?: { isFirst?: boolean; identity?: Identity; isGiven?: boolean },
  ): Promise<StoredUser>;
  /** Errors: BadUser, also when no admin would be left. */
  change(id: string, user: UserInput): StoredUser;
  /**
   * Ends all sessions of the user; `andTokens`: these and shared links too; `instead`: only in place of this hash; `isGiven`: the user has to
   * choose another. Errors: BadUser.
   */
  setPassword(
    id: string,
    password: string,
    how?: { andTokens?: boolean; instead?: string; isGiven?: boolean },
  ): Promise<void>;
  /** Expiry of an assigned password, as ISO instant; undefined once the user has chosen their own. */
  givenUntil(id: string): string | undefined;
  /** Why a password is not taken. Errors: BadUser. */
  assertGood(id: string, password: string): Promise<void>;
  /** The stored hash, or undefined without a password. */
  hashOf(id: string): string | undefined;
  /** With sessions and tokens. Errors: BadUser, also when no admin would be left. */
  remove(id: string): void;
  /** Somebody signed in with this address, and nobody does any more. */
  wasOf(email: string): boolean;
  /** Whether there are users, so that everybody must sign in: at once of those added here, after 20 ms of those that another process adds. */
  isAny(): boolean;
}

/** What else depends on users; each is called within the change. */
export interface UserHooks {
  /** Called with the first user: from now on everybody must sign in. */
  onFirst: (id: string) => void;
  onRemoved: (id: string) => void;
}

interface UserMeans {
  audit: Audit;
  /** Milliseconds. */
  clock: () => number;
  hooks: UserHooks;
}

/** So long `isAny` takes it that there still are none. */
const none_ms = 20;

export const formerAddressesSchema = `
create table if not exists former_addresses (email text primary key, until text not null) strict;`;

/** The tables are read by the login library, too; operations that must not interleave are single transactions here. */
export function usersIn(database: DatabaseSync, { audit, clock, hooks }: UserMeans): UserStore {
  const { record } = audit;
  const passwords = passwordStoreIn(database, clock);
  const identities = identitiesIn(database, audit, clock);
  const { onFirst, onRemoved } = hooks;
  // Sessions end, but known sign-in addresses stay.
  const columns =
    'users.*, (select max(at) from (select "updatedAt" as at from sessions where "userId" = users.id' +
    ' union all select seen_at from known_places where user = users.id)) as seen';
  const statement = {
    list: database.prepare(`select ${columns} from users order by name collate nocase, email`),
    find: database.prepare(`select ${columns} from users where id = ?`),
    named: database.prepare(`select ${columns} from users where email = ?`),
    any: database.prepare('select 1 from users limit 1'),
    otherAdmins: database.prepare("select count(*) as count from users where role = 'admin' and id <> ?"),
    add: database.prepare(
      'insert into users (id, name, email, "emailVerified", "createdAt", "updatedAt", role, extra_rights, rows) values (?, ?, ?, 1, ?, ?, ?, ?, ?)',
    ),
    change: database.prepare(
      'update users set name = ?, email = ?, "updatedAt" = ?, role = ?, extra_rights = ?, rows = ? where id = ?',
    ),
    remove: database.prepare('delete from users where id = ?'),
    leave: database.prepare(
      'insert into former_addresses (email, until) values (?, ?) on conflict do update set until = excluded.until',
    ),
    take: database.prepare('delete from former_addresses where email = ?'),
    left: database.prepare('select 1 from former_addresses where email = ?'),
    endResets: database.prepare('delete from password_resets where user = ?'),
    endSessions: database.prepare('delete from sessions where "userId" = ?'),
    endTokens: database.prepare('delete from api_tokens where user = ?'),
    endShares: database.prepare('delete from shares where user = ?'),
  };
  /** Cached because every request asks; an admin always remains, so it never becomes false again. */
  let isThere = false;
  /** Another process may add the first one; asking the database each time takes a quarter of a repeated question. */
  let noneUntil = 0;
  const isAny = (): boolean => {
    if (isThere || performance.now() < noneUntil) return isThere;
    isThere = statement.any.get() !== undefined;
    noneUntil = performance.now() + none_ms;
    return isThere;
  };
  const read = (row: Readonly<Record<string, unknown>>): StoredUser => ({
    ...knownIn(row),
    created_at: new Date(String(row.createdAt)).toISOString(),
    last_seen_at: row.seen ? new Date(String(row.seen)).toISOString() : null,
  });
  const find = (id: string): StoredUser | undefined => {
    const row = statement.find.get(id);
    return row && read(row);
  };
  const there = (id: string): StoredUser => {
    const user = find(id);
    if (!user) throw new BadUser('id', `there is no user ${id}`);
    return user;
  };
  const assertAdminLeft = (id: string, what: string): void => {
    if (there(id).role === 'admin' && Number(statement.otherAdmins.get(id)?.count) === 0)
      throw new BadUser('role', `${what}: nobody else is an admin, and nobody could let others in`);
  };
  const assertGood = async (password: string, { email, name }: { email: string; name: string }): Promise<void> => {
    const objection = await objectionToPassword(password, [email, name]);
    if (objection) throw new BadUser('password', `the password ${objection}`);
  };
  const assertFree = (email: string): void => {
    if (statement.named.get(email)) throw new BadUser('email', `there is a user ${email} already`);
  };
  const at = (): string => new Date(clock()).toISOString();
  const byEmail = (email: string): StoredUser | undefined => {
    const row = statement.named.get(email.trim().toLowerCase());
    return row && read(row);
  };
  return {
    list: () => statement.list.all().map(read),
    ...{ find, byEmail },
    ...{ hashOf: passwords.hashOf, givenUntil: passwords.givenUntil, identities: identities.of },
    byIdentity(identity) {
      const id = identities.userOf(identity);
      return id === undefined ? undefined : find(id);
    },
    named(email) {
      const user = byEmail(email);
      if (!user) throw new BadUser('email', `there is no user ${email}`);
      return user;
    },
    link: (id, identity) => inTransaction(database, () => identities.link(there(id), identity)),
    unlink: (id, linked, { hasPasswords }) =>
      inTransaction(database, () =>
        identities.unlink(there(id), linked, hasPasswords && passwords.hashOf(id) !== undefined),
      ),
    async add(user, password, { isFirst = false, identity, isGiven = false } = {}) {
      const { email, name, role, extra_rights, rows } = checked(user);
      assertFree(email);
      if (password !== null) await assertGood(password, { email, name });
      const hash = password === null ? null : await hashed(password);
      const added = inTransaction(database, () => {
        const isFirstOfAll = statement.any.get() === undefined;
        if (isFirst && !isFirstOfAll)
          throw new BadUser('email', 'there are users already: one of the admins lets others in');
        if (role !== 'admin' && isFirstOfAll)
          throw new BadUser('role', 'the first user is an admin: nobody else could let others in');
        assertFree(email);
        const id = randomUUID();
        statement.add.run(id, name, email, at(), at(), role, JSON.stringify(extra_rights), JSON.stringify(rows));
        statement.take.run(email);
        if (hash !== null) passwords.keep(id, hash, isGiven);
        if (isFirstOfAll) onFirst(id);
        record({ action: 'user.added', about: `${email}: ${described({ role, extra_rights, rows })}` });
        if (identity) identities.link(there(id), identity);
        return there(id);
      });
      noneUntil = 0;
      return added;
    },
    change(id, user) {
      const { email, name, role, extra_rights, rows } = checked(user);
      return inTransaction(database, () => {
        const before = there(id);
        if (role !== 'admin') assertAdminLeft(id, `${before.name} stays an admin`);
        if (email !== before.email) {
          assertFree(email);
          statement.endResets.run(id);
          statement.leave.run(before.email, at());
          statement.take.run(email);
        }
        statement.change.run(name, email, at(), role, JSON.stringify(extra_rights), JSON.stringify(rows), id);
        const now = email === before.email ? '' : `${email}, `;
        const about = `${before.email}: ${described(before)} -> ${now}${described({ role, extra_rights, rows })}`;
        record({ action: 'user.changed', about });
        return there(id);
      });
    },
    assertGood: (id, password) => assertGood(password, there(id)),
    async setPassword(id, password, { andTokens = false, instead, isGiven = false } = {}) {
      await assertGood(password, there(id));
      const hash = await hashed(password);
      inTransaction(database, () => {
        const { email } = there(id);
        if (instead !== undefined && passwords.hashOf(id) !== instead)
          throw new BadUser('password', 'the password was changed meanwhile: sign in with the new one');
        passwords.keep(id, hash, isGiven);
        statement.endSessions.run(id);
        statement.endResets.run(id);
        if (andTokens) for (const end of [statement.endTokens, statement.endShares]) end.run(id);
        const ended = andTokens ? ', and tokens and shared links are revoked' : '';
        record({ action: 'password.changed', about: `${email}${ended}` });
      });
    },
    remove: (id) =>
      inTransaction(database, () => {
        const { email, name } = there(id);
        assertAdminLeft(id, `${name} stays`);
        statement.remove.run(id);
        statement.leave.run(email, at());
        onRemoved(id);
        record({ action: 'user.removed', about: email });
      }),
    wasOf: (email) => statement.left.get(email.trim().toLowerCase()) !== undefined,
    isAny,
  };
}
