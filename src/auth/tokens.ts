// Tokens for programs: shown once, kept as a hash, with rights and rows of their own that are at most those of their maker.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from './audit.ts';
import type { Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { requires, rightNames, rightsOf, type Right } from './rights.ts';
import { inTransaction } from './transaction.ts';
import { describedRows } from './user-shape.ts';
import type { User, UserStore } from './users.ts';

export interface Token {
  id: string;
  name: string;
  /** Id of the user whose token it is. */
  user: string;
  rights: readonly Right[];
  rows: Rows;
  /** ISO instants. */
  created_at: string;
  expires_at: string;
  /** To the minute. */
  last_used_at: string | null;
}

/** It begins with this, so that whoever finds one knows what it opens. */
const prefix = 'cl_';
const day_ms = 86_400_000;
export const longest_days = 366;
/** Of one user. */
export const most_tokens = 20;

export interface Wanted {
  name: string;
  rights: readonly Right[];
  rows?: Rows;
  days: number;
}

export interface TokenStore {
  /** Of one user, or of all; the newest first. */
  list(user?: string): Token[];
  /** `secret` is what the program sends, and is told this once. Errors: BadUser. */
  add(maker: User, wanted: Wanted): { token: Token; secret: string };
  /** `user`: only if it is theirs. Whether there was one. */
  remove(id: string, user?: string): boolean;
  /** The token that a secret belongs to and who made it, while it has not expired. */
  find(secret: string): { token: Token; maker: User } | undefined;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function tokensIn(database: DatabaseSync, { record }: Audit, users: UserStore, clock: () => number): TokenStore {
  const statement = {
    list: database.prepare('select * from api_tokens order by created_at desc, id'),
    listOf: database.prepare('select * from api_tokens where user = ? order by created_at desc, id'),
    find: database.prepare('select * from api_tokens where hash = ?'),
    named: database.prepare('select name, user from api_tokens where id = ?'),
    count: database.prepare('select count(*) as count from api_tokens where user = ?'),
    add: database.prepare(
      'insert into api_tokens (id, name, user, hash, rights, rows, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    use: database.prepare('update api_tokens set last_used_at = ? where id = ?'),
    remove: database.prepare('delete from api_tokens where id = ?'),
    removeOf: database.prepare('delete from api_tokens where id = ? and user = ?'),
  };
  const read = (row: Readonly<Record<string, unknown>>): Token => ({
    ...{ id: String(row.id), name: String(row.name), user: String(row.user) },
    rights: rightNames.filter((name) => (JSON.parse(String(row.rights)) as unknown[]).includes(name)),
    rows: JSON.parse(String(row.rows)) as Rows,
    ...{ created_at: String(row.created_at), expires_at: String(row.expires_at) },
    last_used_at: typeof row.last_used_at === 'string' ? row.last_used_at : null,
  });
  return {
    list: (user) => (user === undefined ? statement.list.all() : statement.listOf.all(user)).map(read),
    add(maker, { name, rights, rows = {}, days }) {
      const theirs = rightsOf(maker.role, maker.extra_rights);
      const [missing] = rights.filter((right) => !theirs.has(right));
      if (missing)
        throw new BadUser('rights', `${maker.name} may not give ${missing}: a token has at most its maker's rights`);
      for (const right of rights) {
        const needed = requires[right];
        if (needed && !rights.includes(needed)) throw new BadUser('rights', `${right} needs ${needed}`);
      }
      if (Number(statement.count.get(maker.id)?.count) >= most_tokens)
        throw new BadUser(
          'name',
          `${maker.name} has ${most_tokens} tokens, and more are not kept: revoke one that nobody needs`,
        );
      if (rights.length === 0) throw new BadUser('rights', 'a token without rights opens nothing: choose some');
      if (!(Number.isInteger(days) && days >= 1 && days <= longest_days))
        throw new BadUser('days', `a token is good for 1 to ${longest_days} days`);
      const secret = prefix + randomBytes(32).toString('base64url');
      const id = randomUUID();
      const expires_at = new Date(clock() + days * day_ms).toISOString();
      const created_at = new Date(clock()).toISOString();
      const kept = [JSON.stringify(rights), JSON.stringify(rows)] as const;
      const may = [...rights, ...describedRows(rows)].join(', ');
      const about = `${name} of ${maker.email}: ${may}, until ${expires_at}`;
      inTransaction(database, () => {
        statement.add.run(id, name, maker.id, hashOf(secret), ...kept, created_at, expires_at);
        record({ action: 'token.added', about });
      });
      return { token: { id, name, user: maker.id, rights, rows, created_at, expires_at, last_used_at: null }, secret };
    },
    remove: (id, user) =>
      inTransaction(database, () => {
        const row = statement.named.get(id);
        const isGone = (user === undefined ? statement.remove.run(id) : statement.removeOf.run(id, user)).changes > 0;
        if (row && isGone)
          record({
            action: 'token.revoked',
            about: `${String(row.name)} of ${users.find(String(row.user))?.email ?? String(row.user)}`,
          });
        return isGone;
      }),
    find(secret) {
      if (!secret.startsWith(prefix)) return undefined;
      const row = statement.find.get(hashOf(secret));
      if (!row) return undefined;
      const token = read(row);
      const maker = users.find(token.user);
      if (!maker || Date.parse(token.expires_at) <= clock()) return undefined;
      const minute = `${new Date(clock()).toISOString().slice(0, 16)}:00.000Z`;
      if (token.last_used_at !== minute) statement.use.run(minute, token.id);
      return { token, maker };
    },
  };
}
