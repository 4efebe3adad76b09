// The digests of an installation, the unsubscribed addresses, and the key that signs links; stored in the app's SQLite file.
import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { keyOfChannel, secretOf, withSecret } from './channels/channels.ts';
import { keptDigestFrom, type Digest } from './digest.ts';
import { createLedger, type SendLedger } from './ledger.ts';
import { createNotified, type Notified } from './notified.ts';

export interface StoredDigest {
  digest: Digest;
  /** Unix seconds: due moments up to here are handled, or lie before the digest existed. */
  handled_until: number;
  /** What goes to whom was saved by somebody who may run SQL: saved queries of its boards may run as its owner. */
  is_agreed: boolean;
  /** Counts its saves, from 1. */
  version: number;
}

/** Limited because each one is checked every minute. */
const most_digests = 100;

export class TooManyDigests extends Error {
  override readonly name = 'TooManyDigests';
  constructor() {
    super(`there are ${most_digests} digests, and no more can be kept: remove one that nobody needs`);
  }
}

/** The digest is not the one that was read: somebody has saved or removed it since. */
export class DigestChanged extends Error {
  override readonly name = 'DigestChanged';
}

/** What a save needs to know beside the digest itself. */
export interface SaveOptions {
  /** See `StoredDigest`; otherwise it stays agreed as long as the same goes to the same people. */
  is_agreed?: boolean;
  /** The version that the change was made from, 0 for a digest that is new; undefined replaces any. */
  version?: number | undefined;
}

export interface DigestStore {
  ledger: SendLedger;
  /** What owners have been notified about. */
  notified: Notified;
  list(): StoredDigest[];
  find(id: string): StoredDigest | undefined;
  /**
   * Replaces the digest with the same id. Missing secrets are kept, or created. `now` in Unix seconds.
   * Errors: TooManyDigests, DigestChanged.
   */
  save(digest: Digest, now: number, options?: SaveOptions): Digest;
  /** Its sends remain as history. */
  remove(id: string): boolean;
  handled(id: string, until: number): void;
  /** After a clock that ran ahead: what it noted to come is due all the same. */
  setBack(id: string, until: number): void;
  unsubscribe(digest: string, address: string, now: number): void;
  isUnsubscribed(digest: string, address: string): boolean;
  /** Belongs to this installation; never shown. */
  key: string;
}

const tables = `
create table if not exists digests (id text primary key, body text not null, handled_until integer not null, is_agreed integer,
  version integer) strict;
create table if not exists digest_unsubscribed (
  digest text not null, address text not null, at integer not null, primary key (digest, address)) strict;
create table if not exists digest_marks (name text primary key, value text not null) strict;`;

const columns = 'body, handled_until, is_agreed, version';

/** `ready` digests are added on the first start only; a removed one does not come back. `random` returns hexadecimal text. */
export function openStore(
  database: DatabaseSync,
  ready: readonly Digest[],
  now: number,
  random: () => string,
): DigestStore {
  database.exec(tables);
  addColumns(database);
  const key = mark(database, 'key', random);
  const statement = {
    list: database.prepare(`select ${columns} from digests order by id`),
    find: database.prepare(`select ${columns} from digests where id = ?`),
    save: database.prepare(
      'insert into digests (id, body, handled_until, is_agreed, version) values (?, ?, ?, ?, ?) on conflict (id) do update set ' +
        'body = excluded.body, handled_until = excluded.handled_until, is_agreed = excluded.is_agreed, version = excluded.version',
    ),
    count: database.prepare('select count(*) as count from digests'),
    remove: database.prepare('delete from digests where id = ?'),
    handled: database.prepare('update digests set handled_until = max(handled_until, ?) where id = ?'),
    setBack: database.prepare('update digests set handled_until = ? where id = ?'),
    unsubscribe: database.prepare('insert or ignore into digest_unsubscribed (digest, address, at) values (?, ?, ?)'),
    unsubscribed: database.prepare('select 1 from digest_unsubscribed where digest = ? and address = ?'),
  };
  const read = (row: Record<string, unknown>): StoredDigest => ({
    digest: keptDigestFrom(JSON.parse(String(row['body']))),
    handled_until: Number(row['handled_until']),
    is_agreed: row['is_agreed'] === 1,
    version: Number(row['version'] ?? 1),
  });
  const find = (id: string): StoredDigest | undefined => {
    const row = statement.find.get(id);
    return row && read(row);
  };
  const store: DigestStore = {
    key,
    ledger: createLedger(database),
    notified: createNotified(database),
    list: () => statement.list.all().map(read),
    find,
    save(digest, at, { is_agreed = false, version } = {}) {
      const old = find(digest.id);
      if (version !== undefined && version !== (old?.version ?? 0)) throw new DigestChanged();
      if (!old && Number(statement.count.get()?.['count']) >= most_digests) throw new TooManyDigests();
      const whole = withSecrets(digest, old?.digest, random);
      // A digest with a changed schedule does not catch up on what the old one would have sent.
      const isSame = JSON.stringify(old?.digest.schedule) === JSON.stringify(whole.schedule);
      const wasAwake = old !== undefined && !old.digest.is_paused;
      const isAgreed = is_agreed || (old?.is_agreed === true && isSameReach(old.digest, whole));
      const until = isSame && wasAwake ? old.handled_until : at;
      statement.save.run(whole.id, JSON.stringify(whole), until, Number(isAgreed), (old?.version ?? 0) + 1);
      return whole;
    },
    remove: (id) => statement.remove.run(id).changes > 0,
    handled: (id, until) => void statement.handled.run(until, id),
    setBack: (id, until) => void statement.setBack.run(until, id),
    unsubscribe: (digest, address, at) => void statement.unsubscribe.run(digest, address.toLowerCase(), at),
    isUnsubscribed: (digest, address) => statement.unsubscribed.get(digest, address.toLowerCase()) !== undefined,
  };
  if (mark(database, 'ready', () => String(now)) === String(now) && store.list().length === 0)
    for (const digest of ready) store.save(digest, now);
  return store;
}

/** Files of earlier versions have neither. */
function addColumns(database: DatabaseSync): void {
  const has = database
    .prepare('pragma table_info(digests)')
    .all()
    .map(({ name }) => name);
  for (const column of ['is_agreed', 'version'])
    if (!has.includes(column)) database.exec(`alter table digests add column ${column} integer`);
}

/** Whether the same goes to the same people: what was agreed to. */
const isSameReach = (one: Digest, other: Digest): boolean => reachOf(one) === reachOf(other);

const reachOf = ({ owner, account, content, period, filters, readers, formats, channels }: Digest): string =>
  JSON.stringify([owner, account, content, period, filters, readers, formats, channels]);

function mark(database: DatabaseSync, name: string, value: () => string): string {
  database.prepare('insert or ignore into digest_marks (name, value) values (?, ?)').run(name, value());
  return String(database.prepare('select value from digest_marks where name = ?').get(name)?.['value']);
}

function withSecrets(digest: Digest, old: Digest | undefined, random: () => string): Digest {
  const channels = digest.channels.map((channel) => {
    const before = old?.channels.find((it) => keyOfChannel(it) === keyOfChannel(channel));
    return withSecret(channel, () => (before && secretOf(before)) ?? random());
  });
  return { ...digest, channels };
}

/** A token that contains `subject` and cannot be forged without the key. */
export const signed = (key: string, subject: string): string => {
  const body = Buffer.from(subject).toString('base64url');
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
};

/** The subject of a token, or undefined if the key did not sign it. */
export function opened(key: string, token: string): string | undefined {
  const subject = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
  const right = createHmac('sha256', key).update(signed(key, subject)).digest('hex');
  return createHmac('sha256', key).update(token).digest('hex') === right ? subject : undefined;
}
