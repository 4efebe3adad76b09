// The send ledger: each (digest, period, reader, channel) is one row with its outcome.
import type { DatabaseSync } from 'node:sqlite';
import { unnoticed_seconds, type NotedSend, type Send, type SendKey } from './send.ts';

interface Naming {
  digest: string;
  snapshot: string;
  before: string | null;
  at: number;
  /** Whether it is the newest of its digest and reader. */
  is_newest: boolean;
}

/** The sending process: after its end, it cannot complete what it began. */
export interface Owner {
  process: number;
  /** Unix seconds; tells it from an earlier process with the same id. */
  began: number;
  isAlive(process: number): boolean;
}

export interface SendLedger {
  /** Those that are there already stay. All or none are written. Returns how many are new. */
  addAll(keys: readonly SendKey[], about: { due_at: number; is_late: boolean }, now: number): number;
  /** To be tried now, the longest due first. */
  ready(now: number): SendKey[];
  find(key: SendKey): Send | undefined;
  /** The last due moment of a digest by `now`, Unix seconds; null without any. */
  lastDue(digest: string, now: number): number | null;
  /** The newest first. */
  history(digest: string, limit: number): NotedSend[];
  /** All of a period. */
  ofPeriod(digest: string, period: string): NotedSend[];
  /** A rendered send of a period, for the given reader and channel or for any. */
  findMade(about: {
    digest: string;
    period: string;
    reader?: string | undefined;
    channel?: string | undefined;
  }): Send | undefined;
  /** Sends of a digest whose state or reason changed at `since` (Unix seconds) or later, longest due first. */
  changedSince(digest: string, since: number): NotedSend[];
  /** The newest one of a digest and reader that went out before `period` did. */
  sentBefore(digest: string, reader: string, period: string): Send | undefined;
  /** Every snapshot that a send names, with the one that its restatements are held against. `at`: Unix seconds. */
  naming(): Naming[];
  /** Sets the inputs of its document. */
  made(key: SendKey, about: { snapshot: string; made: string; message_id: string }, now: number): void;
  hold(key: SendKey, reason: string, next_at: number, now: number): void;
  /** What is held of a period is ready at once. */
  lookAgain(about: { digest: string; period: string }, now: number): void;
  /** True for exactly one caller, who then must `end` it. */
  claim(key: SendKey, owner: Owner, now: number): boolean;
  end(key: SendKey, state: 'sent' | 'failed' | 'unknown', reason: string | null, now: number): void;
  retry(key: SendKey, reason: string, next_at: number, now: number): void;
  /** Marks sends of dead processes: their outcome is unknown. `isRepeatable`: sending again does no harm. */
  abandon(owner: Owner, isRepeatable: (channel: string) => boolean, now: number): Send[];
  /** How many sends are in each state. */
  states(): { state: string; count: number }[];
  /** Those of a digest that are due after `now`: a clock that ran ahead noted them. */
  toCome(digest: string, now: number): NotedSend[];
  /** Forgets a send, unless it is on its way; of one that was tried, `wentEarly` remembers when. */
  setAside(key: SendKey): void;
  /** When a send that was set aside went out, Unix seconds; null without one. */
  wentEarly(key: SendKey): number | null;
  /** Manual retry of a send that failed or has an unknown outcome. False if it is in another state. */
  again(key: SendKey, now: number): boolean;
}

/** After this time no send is still running, whatever the process table says. */
const longest_send_seconds = 900;

const table = `
create table if not exists digest_sends (
  digest text not null, period text not null, reader text not null, channel text not null,
  state text not null, due_at integer not null, is_late integer not null, is_forced integer not null default 0,
  snapshot text, made text, message_id text,
  attempts integer not null default 0, first_at integer, next_at integer not null, sent_at integer,
  owner integer, reason text, updated_at integer not null,
  primary key (digest, period, reader, channel)) strict;
create table if not exists digest_sent_early (
  digest text not null, period text not null, reader text not null, channel text not null, sent_at integer not null,
  primary key (digest, period, reader, channel)) strict;`;

const noted = `digest, period, reader, channel, state, due_at, is_late, is_forced, snapshot, message_id, attempts,
  first_at, next_at, sent_at, reason, updated_at`;

const where = 'digest = :digest and period = :period and reader = :reader and channel = :channel';

export function createLedger(database: DatabaseSync): SendLedger {
  database.exec(table);
  const prepare = (sql: string) => database.prepare(sql);
  const statement = {
    add: prepare(
      `insert or ignore into digest_sends (digest, period, reader, channel, state, due_at, is_late, next_at, updated_at)
       values (:digest, :period, :reader, :channel, 'waiting', :due_at, :is_late, :now, :now)`,
    ),
    ready: prepare(
      `select digest, period, reader, channel from digest_sends
       where state in ('waiting', 'held', 'retrying') and due_at <= :now + ${unnoticed_seconds} and (next_at <= :now or updated_at > :now + ${unnoticed_seconds})
       order by due_at, digest, reader, channel`,
    ),
    lastDue: prepare('select max(due_at) as at from digest_sends where digest = ? and due_at <= ?'),
    find: prepare(`select * from digest_sends where ${where}`),
    history: prepare(
      `select ${noted} from digest_sends where digest = ? order by due_at desc, period desc, reader, channel limit ?`,
    ),
    ofPeriod: prepare(
      `select ${noted} from digest_sends where digest = ? and period = ? order by due_at desc, reader, channel`,
    ),
    findMade: prepare(
      `select * from digest_sends
       where digest = :digest and period = :period and made is not null
         and reader = coalesce(:reader, reader) and channel = coalesce(:channel, channel)
       order by due_at desc, reader, channel limit 1`,
    ),
    changed: prepare(
      `select ${noted} from digest_sends where digest = ? and updated_at >= ? order by due_at, period, reader, channel`,
    ),
    before: prepare(
      `select * from digest_sends where digest = ? and reader = ? and period < ? and state in ('sent', 'unknown') and made is not null
       order by period desc limit 1`,
    ),
    naming: prepare(
      `select digest, snapshot, json_extract(made, '$.before.snapshot') as before, coalesce(sent_at, due_at) as at,
         period = max(period) over (partition by digest, reader) as is_newest
       from digest_sends where made is not null`,
    ),
    made: prepare(
      `update digest_sends set snapshot = :snapshot, made = :made, message_id = :message_id, updated_at = :now where ${where}`,
    ),
    hold: prepare(
      `update digest_sends set state = 'held', reason = :reason, next_at = :next_at, owner = null, updated_at = :now where ${where}`,
    ),
    lookAgain: prepare(
      `update digest_sends set next_at = min(next_at, :now) where digest = :digest and period = :period and state = 'held'`,
    ),
    // What went wrong before it was claimed is a try too.
    retry: prepare(
      `update digest_sends set attempts = attempts + (state <> 'sending'), state = 'retrying', reason = :reason,
         first_at = coalesce(first_at, :now), next_at = :next_at, owner = null, updated_at = :now where ${where}`,
    ),
    claim: prepare(
      `update digest_sends set state = 'sending', owner = :owner, attempts = attempts + 1,
         first_at = coalesce(first_at, :now), updated_at = :now
       where ${where} and state in ('waiting', 'held', 'retrying')`,
    ),
    end: prepare(
      `update digest_sends set state = :state, reason = :reason, owner = null, updated_at = :now,
         sent_at = case when :state = 'sent' then :now else sent_at end
       where ${where} and state = 'sending'`,
    ),
    toCome: prepare(`select ${noted} from digest_sends where digest = ? and due_at > ? + ${unnoticed_seconds}`),
    noteEarly: prepare(
      `insert or replace into digest_sent_early (digest, period, reader, channel, sent_at)
       select digest, period, reader, channel, coalesce(sent_at, updated_at) from digest_sends
       where ${where} and state in ('sent', 'unknown')`,
    ),
    forget: prepare(`delete from digest_sends where ${where} and state <> 'sending'`),
    early: prepare(`select sent_at from digest_sent_early where ${where}`),
    states: prepare('select state, count(*) as count from digest_sends group by state order by state'),
    sending: prepare(`select * from digest_sends where state = 'sending'`),
    again: prepare(
      `update digest_sends set is_forced = (state = 'held' or is_forced = 1), state = 'waiting', reason = null, next_at = :now,
         attempts = 0, first_at = null, updated_at = :now
       where ${where} and state in ('failed', 'unknown', 'held', 'retrying')`,
    ),
  };
  const keyOf = ({ digest, period, reader, channel }: SendKey) => ({ digest, period, reader, channel });
  const read = (row: Record<string, unknown>): Send => ({
    ...(row as unknown as Send),
    is_late: row['is_late'] === 1,
    is_forced: row['is_forced'] === 1,
  });
  const retry = (key: SendKey, reason: string, next_at: number, now: number): void =>
    void statement.retry.run({ ...keyOf(key), reason, next_at, now });
  /** All of it or nothing. */
  function atOnce<Result>(change: () => Result): Result {
    database.exec('begin immediate');
    try {
      const result = change();
      database.exec('commit');
      return result;
    } catch (error) {
      // A full disk has rolled it back already.
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  }
  return {
    states: () => statement.states.all().map(({ state, count }) => ({ state: String(state), count: Number(count) })),
    addAll(keys, { due_at, is_late }, now) {
      const about = { due_at, is_late: is_late ? 1 : 0, now };
      // One by one a thousand of them would keep everybody waiting for the disk.
      return atOnce(() => keys.filter((key) => statement.add.run({ ...keyOf(key), ...about }).changes > 0).length);
    },
    lastDue(digest, now) {
      const at = statement.lastDue.get(digest, now)?.['at'];
      return typeof at === 'number' ? at : null;
    },
    ready: (now) => statement.ready.all({ now }).map((row) => keyOf(row as unknown as SendKey)),
    find(key) {
      const row = statement.find.get(keyOf(key));
      return row && read(row);
    },
    history: (digest, limit) => statement.history.all(digest, limit).map(read),
    ofPeriod: (digest, period) => statement.ofPeriod.all(digest, period).map(read),
    findMade({ digest, period, reader = null, channel = null }) {
      const row = statement.findMade.get({ digest, period, reader, channel });
      return row && read(row);
    },
    changedSince: (digest, since) => statement.changed.all(digest, since).map(read),
    sentBefore(digest, reader, period) {
      const row = statement.before.get(digest, reader, period);
      return row && read(row);
    },
    naming: () =>
      statement.naming.all().map((row) => ({ ...(row as unknown as Naming), is_newest: row['is_newest'] === 1 })),
    made: (key, about, now) => void statement.made.run({ ...keyOf(key), ...about, now }),
    hold: (key, reason, next_at, now) => void statement.hold.run({ ...keyOf(key), reason, next_at, now }),
    lookAgain: ({ digest, period }, now) => void statement.lookAgain.run({ digest, period, now }),
    claim: (key, owner, now) => statement.claim.run({ ...keyOf(key), owner: owner.process, now }).changes === 1,
    end: (key, state, reason, now) => void statement.end.run({ ...keyOf(key), state, reason, now }),
    retry,
    abandon(owner, isRepeatable, now) {
      const gone = statement.sending.all().filter((row) => {
        const process = Number(row['owner']);
        const isOver = now - Number(row['updated_at']) > longest_send_seconds;
        const isOwn = process === owner.process;
        return isOver || (isOwn ? Number(row['updated_at']) < owner.began : !owner.isAlive(process));
      });
      return gone.map((row) => {
        const send = read(row);
        if (isRepeatable(send.channel)) retry(send, 'the program ended while it was written', now, now);
        else
          statement.end.run({
            ...keyOf(send),
            state: 'unknown',
            reason: 'the program ended while it was handed over: look whether it arrived, then send it again by hand',
            now,
          });
        return send;
      });
    },
    toCome: (digest, now) => statement.toCome.all(digest, now).map(read),
    setAside: (key) =>
      atOnce(() => {
        statement.noteEarly.run(keyOf(key));
        statement.forget.run(keyOf(key));
      }),
    wentEarly(key) {
      const at = statement.early.get(keyOf(key))?.['sent_at'];
      return typeof at === 'number' ? at : null;
    },
    again: (key, now) => statement.again.run({ ...keyOf(key), now }).changes === 1,
  };
}
