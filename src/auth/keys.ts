// Secrets that grant access to their holder (tokens and links): shown once, stored as a hash, with at most the rights and rows of their
// maker.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Audit, AuditAction } from './audit.ts';
import type { Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { rightNames, rightsOf, type Right } from './rights.ts';
import { inTransaction } from './transaction.ts';
import type { StoredUser, UserStore } from './users.ts';

export interface AccessKey {
  id: string;
  /** What its maker calls it. */
  label: string;
  /** Id of the maker. */
  user: string;
  rights: readonly Right[];
  rows: Rows;
  /** ISO instants. */
  created_at: string;
  expires_at: string;
  /** To the minute. */
  last_used_at: string | null;
  /** Additional data of the kind, or null. */
  besides: unknown;
}

/** What makes tokens differ from links. */
export interface KeyKind {
  table: string;
  /** Column of the label; an error about it names it. */
  label: string;
  /** Column of the additional data, as JSON. */
  besides?: string;
  /** Prefix of the secret, so that a leaked one can be recognized. */
  prefix: string;
  /** One of them, for errors. */
  one: string;
  /** Maximum per user. */
  most: number;
  /** Field name in errors about a missing right. */
  rightsField: string;
  added: AuditAction;
  revoked: AuditAction;
}

interface WantedKey {
  label: string;
  rights: readonly Right[];
  rows: Rows;
  besides?: object;
  days: number;
  /** Description for the audit: what it opens and what it is. */
  opens: string;
  shows?: string;
}

/** `T`: a key as its kind names it. */
export interface KeyStore<T> {
  /** Keys of one user, or of all; newest first. */
  list(user?: string): T[];
  /** `user`: only if the key is theirs. Returns whether it existed. */
  remove(id: string, user?: string): boolean;
  /** The key of a secret and its maker, unless expired. */
  find(secret: string): { key: T; maker: StoredUser } | undefined;
}

interface KeyAdder<T> {
  /** `secret` is returned only here. Errors: BadUser. */
  add(maker: StoredUser, wanted: WantedKey): { key: T; secret: string };
}

const day_ms = 86_400_000;
export const longest_days = 366;

const instant = (at: number): string => new Date(at).toISOString();
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function keysIn<T>(
  database: DatabaseSync,
  { record }: Audit,
  users: UserStore,
  clock: () => number,
  kind: KeyKind,
  named: (key: AccessKey) => T,
): KeyStore<T> & KeyAdder<T> {
  const { table, one } = kind;
  const own = ['id', kind.label, 'user', 'hash', 'rights', 'rows', 'created_at', 'expires_at'];
  const columns = [...own, ...(kind.besides ? [kind.besides] : [])];
  const statement = {
    list: database.prepare(`select * from ${table} order by created_at desc, id`),
    listOf: database.prepare(`select * from ${table} where user = ? order by created_at desc, id`),
    find: database.prepare(`select * from ${table} where hash = ?`),
    count: database.prepare(`select count(*) as count from ${table} where user = ?`),
    add: database.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`),
    use: database.prepare(`update ${table} set last_used_at = ? where id = ?`),
    remove: database.prepare(
      `delete from ${table} where id = :id and user = coalesce(:user, user) returning ${kind.label} as label, user`,
    ),
  };
  const read = (row: Readonly<Record<string, unknown>>): AccessKey => ({
    ...{ id: String(row.id), label: String(row[kind.label]), user: String(row.user) },
    rights: rightNames.filter((name) => (JSON.parse(String(row.rights)) as unknown[]).includes(name)),
    rows: JSON.parse(String(row.rows)) as Rows,
    ...{ created_at: String(row.created_at), expires_at: String(row.expires_at) },
    last_used_at: typeof row.last_used_at === 'string' ? row.last_used_at : null,
    besides: kind.besides ? JSON.parse(String(row[kind.besides])) : null,
  });

  function check(maker: StoredUser, { rights, days }: WantedKey): void {
    const theirs = rightsOf(maker.role, maker.extra_rights);
    const missing = rights.find((right) => !theirs.has(right));
    if (missing)
      throw new BadUser(
        kind.rightsField,
        `${maker.name} may not give ${missing}: a ${one} has at most its maker's rights`,
      );
    if (Number(statement.count.get(maker.id)?.count) >= kind.most)
      throw new BadUser(
        kind.label,
        `${maker.name} has ${kind.most} ${one}s, and more are not kept: revoke one that nobody needs`,
      );
    if (!(Number.isInteger(days) && days >= 1 && days <= longest_days))
      throw new BadUser('days', `a ${one} is good for 1 to ${longest_days} days`);
  }

  return {
    list: (user) =>
      (user === undefined ? statement.list.all() : statement.listOf.all(user)).map((row) => named(read(row))),
    add(maker, wanted) {
      check(maker, wanted);
      const { label, rights, rows, besides = null, days, opens, shows } = wanted;
      const secret = kind.prefix + randomBytes(32).toString('base64url');
      const created_at = instant(clock());
      const expires_at = instant(clock() + days * day_ms);
      const key = { id: randomUUID(), label, user: maker.id, rights, rows, created_at, expires_at, besides };
      const json = [rights, rows].map((it) => JSON.stringify(it));
      const last = kind.besides ? [JSON.stringify(besides)] : [];
      const about = [`${label} of ${maker.email}`, `${opens}, until ${expires_at}`, ...(shows ? [shows] : [])].join(
        ': ',
      );
      inTransaction(database, () => {
        statement.add.run(key.id, label, maker.id, hashOf(secret), ...json, created_at, expires_at, ...last);
        record({ action: kind.added, about });
      });
      return { key: named({ ...key, last_used_at: null }), secret };
    },
    remove: (id, user) =>
      inTransaction(database, () => {
        const gone = statement.remove.get({ id, user: user ?? null });
        if (gone) {
          const maker = String(gone.user);
          record({ action: kind.revoked, about: `${String(gone.label)} of ${users.find(maker)?.email ?? maker}` });
        }
        return gone !== undefined;
      }),
    find(secret) {
      if (!secret.startsWith(kind.prefix)) return undefined;
      const row = statement.find.get(hashOf(secret));
      if (!row) return undefined;
      const key = read(row);
      const maker = users.find(key.user);
      if (!maker || Date.parse(key.expires_at) <= clock()) return undefined;
      const minute = `${instant(clock()).slice(0, 16)}:00.000Z`;
      if (key.last_used_at !== minute) statement.use.run(minute, key.id);
      return { key: named(key), maker };
    },
  };
}
