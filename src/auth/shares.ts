// Links to a page that open without signing in: shown once, kept as a hash, with rights and rows that are at most those of their maker.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Audit } from './audit.ts';
import type { Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { rightsOf, type Right } from './rights.ts';
import { inTransaction } from './transaction.ts';
import type { User, UserStore } from './users.ts';

export interface Share {
  id: string;
  title: string;
  /** Id of the user whose link it is. */
  user: string;
  /** Figures, and those of agents by name where it was made so. */
  rights: readonly Right[];
  rows: Rows;
  /** The page and its frozen filters, as JSON; whoever shows pages knows what it says. */
  frozen: unknown;
  /** ISO instants. */
  created_at: string;
  expires_at: string;
  /** To the minute. */
  last_used_at: string | null;
}

export interface WantedShare {
  title: string;
  /** Also figures of agents by name. */
  has_agents: boolean;
  rows: Rows;
  frozen: object;
  /** The same in words, for the audit. */
  shows: string;
  days: number;
}

export interface ShareStore {
  /** Of one user, or of all; the newest first. */
  list(user?: string): Share[];
  /** `key` is part of the link, and is told this once. Errors: BadUser. */
  add(maker: User, wanted: WantedShare): { share: Share; key: string };
  /** `user`: only if it is theirs. Whether there was one. */
  remove(id: string, user?: string): boolean;
  /** The link that a key belongs to and who made it, while it has not expired. */
  find(key: string): { share: Share; maker: User } | undefined;
}

export const sharesSchema = `
create table if not exists shares (
  id text primary key, title text not null, user text not null references users (id) on delete cascade,
  hash text not null unique, rights text not null, rows text not null, frozen text not null, created_at text not null,
  expires_at text not null, last_used_at text) strict;`;

/** Differs from that of tokens, so that whoever finds one knows what it opens. */
const prefix = 'cs_';
const day_ms = 86_400_000;
export const longest_share_days = 366;
/** Of one user. */
export const most_shares = 100;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

export function sharesIn(database: DatabaseSync, { record }: Audit, users: UserStore, clock: () => number): ShareStore {
  const statement = {
    list: database.prepare('select * from shares order by created_at desc, id'),
    listOf: database.prepare('select * from shares where user = ? order by created_at desc, id'),
    find: database.prepare('select * from shares where hash = ?'),
    named: database.prepare('select title, user from shares where id = ?'),
    count: database.prepare('select count(*) as count from shares where user = ?'),
    add: database.prepare(
      'insert into shares (id, title, user, hash, rights, rows, frozen, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    use: database.prepare('update shares set last_used_at = ? where id = ?'),
    remove: database.prepare('delete from shares where id = ?'),
    removeOf: database.prepare('delete from shares where id = ? and user = ?'),
  };
  const read = (row: Readonly<Record<string, unknown>>): Share => ({
    ...{ id: String(row.id), title: String(row.title), user: String(row.user) },
    rights: JSON.parse(String(row.rights)) as Right[],
    rows: JSON.parse(String(row.rows)) as Rows,
    frozen: JSON.parse(String(row.frozen)),
    ...{ created_at: String(row.created_at), expires_at: String(row.expires_at) },
    last_used_at: typeof row.last_used_at === 'string' ? row.last_used_at : null,
  });
  return {
    list: (user) => (user === undefined ? statement.list.all() : statement.listOf.all(user)).map(read),
    add(maker, { title, has_agents, rows, frozen, shows, days }) {
      const rights: readonly Right[] = ['numbers:read', ...(has_agents ? (['agents:read'] as const) : [])];
      const theirs = rightsOf(maker.role, maker.extra_rights);
      const missing = rights.find((right) => !theirs.has(right));
      if (missing)
        throw new BadUser('has_agents', `${maker.name} may not give ${missing}: a link has at most its maker's rights`);
      if (!(Number.isInteger(days) && days >= 1 && days <= longest_share_days))
        throw new BadUser('days', `a link is good for 1 to ${longest_share_days} days`);
      if (Number(statement.count.get(maker.id)?.count) >= most_shares)
        throw new BadUser('title', `${maker.name} has ${most_shares} links: revoke one that nobody needs`);
      const key = prefix + randomBytes(32).toString('base64url');
      const id = randomUUID();
      const created_at = new Date(clock()).toISOString();
      const expires_at = new Date(clock() + days * day_ms).toISOString();
      const kept = [JSON.stringify(rights), JSON.stringify(rows), JSON.stringify(frozen)] as const;
      inTransaction(database, () => {
        statement.add.run(id, title, maker.id, hashOf(key), ...kept, created_at, expires_at);
        record({
          action: 'share.added',
          about: `${title} of ${maker.email}: ${rights.join(', ')}, until ${expires_at}: ${shows}`,
        });
      });
      const share = { id, title, user: maker.id, rights, rows, frozen, created_at, expires_at, last_used_at: null };
      return { share, key };
    },
    remove: (id, user) =>
      inTransaction(database, () => {
        const row = statement.named.get(id);
        const isGone = (user === undefined ? statement.remove.run(id) : statement.removeOf.run(id, user)).changes > 0;
        if (row && isGone)
          record({
            action: 'share.revoked',
            about: `${String(row.title)} of ${users.find(String(row.user))?.email ?? String(row.user)}`,
          });
        return isGone;
      }),
    find(key) {
      if (!key.startsWith(prefix)) return undefined;
      const row = statement.find.get(hashOf(key));
      if (!row) return undefined;
      const share = read(row);
      const maker = users.find(share.user);
      if (!maker || Date.parse(share.expires_at) <= clock()) return undefined;
      const minute = `${new Date(clock()).toISOString().slice(0, 16)}:00.000Z`;
      if (share.last_used_at !== minute) statement.use.run(minute, share.id);
      return { share, maker };
    },
  };
}
