// Users: who they are, which role they have and which rows they may see. Whoever is changed is asked for by the next request.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Known, Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { hashed, objectionToPassword } from './passwords.ts';
import { givable, requires, rightNames, roleNames, roles, type Right } from './rights.ts';

const rowsShape = z.strictObject({
  accounts: z.array(z.string().min(1)).min(1).exactOptional(),
  groups: z.array(z.int().nonnegative()).min(1).exactOptional(),
  agent: z.string().min(1).exactOptional(),
});

/** What is written of a user. */
export const written = z.strictObject({
  email: z.email({ error: 'must be an e-mail address' }).max(200).trim().toLowerCase(),
  name: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(100)
    .regex(/^\P{Cc}*$/u),
  role: z.enum(roleNames),
  given: z.array(z.enum(givable)).default([]),
  rows: rowsShape.default({}),
});
export type Written = z.infer<typeof written>;

export interface User extends Known {
  created_at: string;
  /** ISO instant of the last visit, to the day; null: never. */
  last_seen_at: string | null;
}

const rightsIn = (text: string): Right[] =>
  (JSON.parse(text) as unknown[]).filter((name): name is Right => (rightNames as unknown[]).includes(name));

export function knownIn(row: Readonly<Record<string, unknown>>): Known {
  const role = roleNames.find((name) => name === row.role) ?? 'viewer';
  const rows: Rows = rowsShape.parse(JSON.parse(String(row.rows)));
  const given = rightsIn(String(row.given));
  return { id: String(row.id), email: String(row.email), name: String(row.name), role, given, rows };
}

/** What does not go together. Errors: BadUser. */
function checked({ role, given, rows, ...others }: Written): Written {
  if (role === 'agent' && rows.agent === undefined)
    throw new BadUser('agent', 'the role agent needs the login of the agent whose chats these are');
  if (role !== 'agent' && rows.agent !== undefined)
    throw new BadUser('agent', `only the role agent has own chats, not ${role}`);
  if (role === 'admin' && (rows.groups ?? rows.accounts))
    throw new BadUser('groups', 'an admin sees everything: choose another role for a part');
  const own: readonly Right[] = roles[role];
  const extra = given.filter((right) => !own.includes(right));
  for (const right of extra) {
    const needed = requires[right];
    if (needed && ![...own, ...extra].includes(needed)) throw new BadUser('given', `${right} needs ${needed}`);
  }
  return { ...others, role, given: extra, rows };
}

export interface UserStore {
  /** By name. */
  list(): User[];
  find(id: string): User | undefined;
  /** Errors: BadUser. */
  named(email: string): User;
  /** `isFirst`: only while there is nobody. Errors: BadUser. */
  add(user: Written, password: string, how?: { isFirst?: boolean }): Promise<User>;
  /** Errors: BadUser, also when no admin would be left. */
  change(id: string, user: Written): User;
  /** Ends all sessions of the user; `andTokens`: these too; `instead`: only in place of this hash. Errors: BadUser. */
  setPassword(id: string, password: string, how?: { andTokens?: boolean; instead?: string }): Promise<void>;
  /** Why a password is not taken. Errors: BadUser. */
  assertGood(id: string, password: string): Promise<void>;
  /** How the password is kept; undefined: there is none. */
  hashOf(id: string): string | undefined;
  /** With sessions and tokens. Errors: BadUser, also when no admin would be left. */
  remove(id: string): void;
  /** There is somebody: everybody has to sign in. */
  isAny(): boolean;
}

/** What happens to users besides; each is called within the change. */
export interface Told {
  /** There is a first user: everybody signs in from now on. */
  closed: (first: string) => void;
  removed: (id: string) => void;
}

/** The tables are those of the login library, which reads them; whatever must not happen twice is one transaction here. */
export function usersIn(database: DatabaseSync, { closed, removed }: Told): UserStore {
  const columns = 'users.*, (select max("updatedAt") from sessions where "userId" = users.id) as seen';
  const statement = {
    list: database.prepare(`select ${columns} from users order by name collate nocase, email`),
    find: database.prepare(`select ${columns} from users where id = ?`),
    named: database.prepare(`select ${columns} from users where email = ?`),
    any: database.prepare('select 1 from users limit 1'),
    otherAdmins: database.prepare("select count(*) as count from users where role = 'admin' and id <> ?"),
    add: database.prepare(
      'insert into users (id, name, email, "emailVerified", "createdAt", "updatedAt", role, given, rows) values (?, ?, ?, 1, ?, ?, ?, ?, ?)',
    ),
    change: database.prepare(
      'update users set name = ?, email = ?, "updatedAt" = ?, role = ?, given = ?, rows = ? where id = ?',
    ),
    remove: database.prepare('delete from users where id = ?'),
    login: database.prepare(
      'insert into logins (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt") values (?, ?, \'credential\', ?, ?, ?, ?)',
    ),
    forgetLogin: database.prepare('delete from logins where "userId" = ? and "providerId" = \'credential\''),
    hash: database.prepare('select password from logins where "userId" = ? and "providerId" = \'credential\''),
    endSessions: database.prepare('delete from sessions where "userId" = ?'),
    endTokens: database.prepare('delete from api_tokens where user = ?'),
  };
  const read = (row: Readonly<Record<string, unknown>>): User => ({
    ...knownIn(row),
    created_at: new Date(String(row.createdAt)).toISOString(),
    last_seen_at: row.seen ? new Date(String(row.seen)).toISOString() : null,
  });
  const find = (id: string): User | undefined => {
    const row = statement.find.get(id);
    return row && read(row);
  };
  const there = (id: string): User => {
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
  const hashOf = (id: string): string | undefined => {
    const password = statement.hash.get(id)?.password;
    return typeof password === 'string' ? password : undefined;
  };
  const at = (): string => new Date().toISOString();
  const keep = (id: string, hash: string): void => {
    statement.forgetLogin.run(id);
    statement.login.run(randomUUID(), id, id, hash, at(), at());
  };
  /** All or nothing, and nobody else writes meanwhile, in another process either. */
  function whole<T>(work: () => T): T {
    database.exec('begin immediate');
    try {
      const done = work();
      database.exec('commit');
      return done;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  }
  return {
    list: () => statement.list.all().map(read),
    find,
    named(email) {
      const row = statement.named.get(email.trim().toLowerCase());
      if (!row) throw new BadUser('email', `there is no user ${email}`);
      return read(row);
    },
    async add(user, password, { isFirst = false } = {}) {
      const { email, name, role, given, rows } = checked(user);
      assertFree(email);
      await assertGood(password, { email, name });
      const hash = await hashed(password);
      return whole(() => {
        const isAny = statement.any.get() !== undefined;
        if (isFirst && isAny) throw new BadUser('email', 'there are users already: one of the admins lets others in');
        if (role !== 'admin' && !isAny)
          throw new BadUser('role', 'the first user is an admin: nobody else could let others in');
        assertFree(email);
        const id = randomUUID();
        statement.add.run(id, name, email, at(), at(), role, JSON.stringify(given), JSON.stringify(rows));
        keep(id, hash);
        if (!isAny) closed(id);
        return there(id);
      });
    },
    change(id, user) {
      const { email, name, role, given, rows } = checked(user);
      return whole(() => {
        const before = there(id);
        if (role !== 'admin') assertAdminLeft(id, `${before.name} stays an admin`);
        if (email !== before.email) assertFree(email);
        statement.change.run(name, email, at(), role, JSON.stringify(given), JSON.stringify(rows), id);
        return there(id);
      });
    },
    assertGood: (id, password) => assertGood(password, there(id)),
    hashOf,
    async setPassword(id, password, { andTokens = false, instead } = {}) {
      await assertGood(password, there(id));
      const hash = await hashed(password);
      whole(() => {
        there(id);
        if (instead !== undefined && hashOf(id) !== instead)
          throw new BadUser('password', 'the password was changed meanwhile: sign in with the new one');
        keep(id, hash);
        statement.endSessions.run(id);
        if (andTokens) statement.endTokens.run(id);
      });
    },
    remove: (id) =>
      whole(() => {
        assertAdminLeft(id, `${there(id).name} stays`);
        statement.remove.run(id);
        removed(id);
      }),
    isAny: () => statement.any.get() !== undefined,
  };
}
