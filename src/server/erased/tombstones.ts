// Tombstones in app.sqlite: salted hashes of erased people, so that none of their data returns.
import { createHmac, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { inTransaction } from '#auth/transaction.ts';
import { pseudonymPrefix, type Tombstones } from '#etl/erased/erased.ts';

const schema = `
create table if not exists erasure_salt (salt text not null) strict;
create table if not exists tombstones (
  hash text primary key, kind text not null, pseudonym text not null, erased_at text not null) strict;`;

/** `address`: in the form used for comparison, in lower case. */
type TombstoneKind = 'visitor' | 'chat' | 'address';

export interface Tombstone {
  kind: TombstoneKind;
  account: string;
  id: string;
  pseudonym: string;
}

export interface StoredTombstones extends Tombstones {
  /** Adds missing ones in one transaction with the writes of `besides`; existing ones stay. */
  add(tombstones: readonly Tombstone[], now: number, besides: () => void): void;
  /** Identifies a person in rows of the list of erasures. */
  hashOf(kind: TombstoneKind, account: string, id: string): string;
  newPseudonym(): string;
}

const most_known = 100_000;
const pseudonym_bytes = 10;

export function tombstonesIn(database: DatabaseSync): StoredTombstones {
  database.exec(schema);
  const salt = saltOf(database);
  const known = new Map(
    database
      .prepare('select hash, pseudonym from tombstones')
      .all()
      .map((row) => [String(row['hash']), String(row['pseudonym'])]),
  );
  const hashes = new LRUCache<string, string>({ max: most_known });
  const hashOf = (kind: TombstoneKind, account: string, id: string): string => {
    const name = JSON.stringify([kind, account, id]);
    const before = hashes.get(name);
    if (before !== undefined) return before;
    const hash = createHmac('sha256', salt).update(name).digest('base64url');
    hashes.set(name, hash);
    return hash;
  };
  const insert = database.prepare(
    'insert or ignore into tombstones (hash, kind, pseudonym, erased_at) values (?, ?, ?, ?)',
  );
  return {
    get isEmpty() {
      return known.size === 0;
    },
    hashOf,
    pseudonymOf: (kind, account, id) => known.get(hashOf(kind, account, id)),
    isErased: (account, address) => known.has(hashOf('address', account, address)),
    pseudonymFor: (account, visitor) =>
      pseudonymPrefix +
      createHmac('sha256', salt)
        .update(JSON.stringify(['pseudonym', account, visitor]))
        .digest('hex')
        .slice(0, 2 * pseudonym_bytes),
    newPseudonym: () => pseudonymPrefix + randomBytes(pseudonym_bytes).toString('hex'),
    add(tombstones, now, besides) {
      inTransaction(database, () => {
        for (const { kind, account, id, pseudonym } of tombstones)
          insert.run(hashOf(kind, account, id), kind, pseudonym, new Date(now * 1000).toISOString());
        besides();
      });
      for (const { kind, account, id, pseudonym } of tombstones)
        if (!known.has(hashOf(kind, account, id))) known.set(hashOf(kind, account, id), pseudonym);
    },
  };
}

function saltOf(database: DatabaseSync): string {
  const read = (): string | undefined =>
    database.prepare('select salt from erasure_salt').get()?.['salt'] as string | undefined;
  const there = read();
  if (there !== undefined) return there;
  // Another process may make it at this moment.
  inTransaction(database, () => {
    if (read() === undefined)
      database.prepare('insert into erasure_salt (salt) values (?)').run(randomBytes(32).toString('base64url'));
  });
  return read() ?? '';
}
