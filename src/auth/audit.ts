// The audit: who did and who read what, in rows that are only ever appended; each holds a hash of itself and the one before.
import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { presentActor, type PlacedActor } from './actor.ts';
import { aboutStart, auditStartsIn, isAboutStart } from './audit-start.ts';
import { inTransaction } from './transaction.ts';

export const auditActions = [
  ...['session.started', 'session.refused', 'session.ended', 'password.changed', 'password.asked'],
  ...['second_factor.on', 'second_factor.off', 'second_factor.recovered', 'identity.linked', 'identity.unlinked'],
  ...['user.added', 'user.changed', 'user.removed', 'token.added', 'token.revoked', 'request.refused'],
  ...['share.added', 'share.revoked'],
  'share.opened', // the page of a shared link, by whoever has it
  'agents.read', // figures of agents by name
  'receipt.read',
  'chat.read',
  'chats.searched',
  'export.read', // figures as a file
  'chats.exported', // one row per chat as a file
  'document.read', // PDF of a page, or what a digest holds
  'file.read', // the published file, whole
  ...['digest.changed', 'digest.removed', 'digest.sent', 'annotation.changed', 'annotation.removed'],
  ...['business_hours.changed', 'variables.changed'],
  ...['target.changed', 'target.removed', 'period_goal.changed', 'period_goal.removed'],
  ...['board.changed', 'board.removed'],
  ...['query.changed', 'query.removed'],
  ...['pull.started', 'settings.changed', 'audit.read'],
  'mail.tested', // whether the mail server takes a mail
  'audit.shortened', // rows that were too old went
  'visitor.found', // what would be erased of somebody
  ...['visitor.erased', 'erasure.started'],
  'retention.applied', // what was too old went
  'sql.run', // without texts in it
  'sql.exported', // its rows as a file
  'backup.made',
  'backup.restored',
  'redaction.tried', // rules on the raw archive, which shows texts around what they find
  'visitor.accessed', // everything of a person, for that person
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditRecord {
  /** Counted from 1 without gaps. */
  n: number;
  /** ISO instant. */
  at: string;
  /** E-mail address of a user, or what acted without one. */
  who: string;
  /** Id of the user, also behind a token. */
  user: string | null;
  /** IP address; empty: this machine. */
  address: string;
  action: AuditAction;
  /** To what or whom. */
  about: string;
  /** Logins of the agents whose figures were read, comma-separated; `*`: all that the reader may see. */
  agents: string | null;
  is_refused: boolean;
  /** Hash of this row and the previous hash. */
  hash: string;
}

export interface AuditFilter {
  action?: AuditAction | undefined;
  /** A part of the actor's name. */
  who?: string | undefined;
  /** ISO instants, the second one excluded. */
  from?: string | undefined;
  to?: string | undefined;
  /** Rows before this one. */
  before?: number | undefined;
}

interface AuditHead {
  rows: number;
  /** Hash of the newest row; empty: no rows. Whoever notes it can later prove that no earlier row was changed. */
  hash: string;
}

interface AuditVerdict extends AuditHead {
  /** Rows that do not follow from the one before. */
  broken: { n: number; why: string }[];
}

export interface AuditEntry {
  action: AuditAction;
  about: string;
  agents?: string | null;
  is_refused?: boolean;
  /** Defaults to the current actor. */
  by?: PlacedActor;
}

export interface Audit {
  /** Joins the running transaction, if there is one. */
  record(row: AuditEntry): void;
  /** The newest first. */
  list(filter: AuditFilter, limit: number): AuditRecord[];
  /** When the figures of one agent were read, alone or among others; newest first. */
  readsOfAgent(login: string, limit: number): AuditRecord[];
  head(): AuditHead;
  /**
   * Removes a batch of rows older than an ISO instant and records that; returns how many were removed. The remaining rows can be verified
   * as before.
   */
  shorten(before: string): number;
  /** Reads every row. `head`: a hash noted earlier, which must be among them. */
  verify(head?: string): AuditVerdict;
}

export const auditSchema = `
create table if not exists audit (
  n integer primary key, at text not null, who text not null, user text, address text not null, action text not null,
  about text not null, agents text, is_refused integer not null, hash text not null) strict;
create index if not exists audit_action on audit (action, n);
create index if not exists audit_at on audit (at);
create index if not exists audit_agents on audit (n) where agents is not null;
create trigger if not exists audit_counts before insert on audit
  when new.n is not (select coalesce(max(n), 0) + 1 from audit) begin select raise(abort, 'the audit is append-only'); end;
create trigger if not exists audit_keeps_texts before update on audit begin select raise(abort, 'the audit is append-only'); end;`;

const longest_text = 500;

/** Normalized as SQLite stores it: a lone surrogate would be read back differently and break the chain. */
const kept = (text: string): string => text.slice(0, longest_text).toWellFormed();

const hashOf = (
  before: string,
  { n, at, who, user, address, action, about, agents, is_refused }: AuditRecord,
): string =>
  createHash('sha256')
    .update(JSON.stringify([before, n, at, who, user, address, action, about, agents, is_refused]))
    .digest('hex');

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const read = (row: Readonly<Record<string, unknown>>): AuditRecord => ({
  ...{ n: Number(row.n), at: String(row.at), who: String(row.who), user: textOrNull(row.user) },
  ...{ address: String(row.address), action: row.action as AuditAction, about: String(row.about) },
  ...{ agents: textOrNull(row.agents), is_refused: row.is_refused === 1, hash: String(row.hash) },
});

function conditionsOf({ action, who, from, to, before }: AuditFilter): { where: string; values: SQLInputValue[] } {
  const conditions: [sql: string, value: SQLInputValue | undefined][] = [
    ['action = ?', action],
    ['instr(lower(who), lower(?)) > 0', who],
    ['at >= ?', from],
    ['at < ?', to],
    ['n < ?', before],
  ];
  const used = conditions.filter((one): one is [string, SQLInputValue] => one[1] !== undefined);
  return {
    where: used.length > 0 ? `where ${used.map(([sql]) => sql).join(' and ')}` : '',
    values: used.map(([, value]) => value),
  };
}

export function auditIn(database: DatabaseSync, clock: () => number): Audit {
  const statement = {
    last: database.prepare('select n, hash from audit order by n desc limit 1'),
    add: database.prepare('insert into audit values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    every: database.prepare('select * from audit order by n'),
    // Logins have no commas.
    ofAgent: database.prepare(
      "select * from audit where action in ('agents.read', 'receipt.read', 'export.read', 'chats.exported', 'document.read', 'share.opened') and is_refused = 0" +
        " and agents is not null and (agents = '*' or instr(',' || agents || ',', ',' || ? || ',') > 0) order by n desc limit ?",
    ),
  };
  const head = (): AuditHead => {
    const last = statement.last.get();
    return { rows: Number(last?.n ?? 0), hash: String(last?.hash ?? '') };
  };
  const starts = auditStartsIn(database);
  const audit: Audit = {
    record({ action, about, agents = null, is_refused = false, by = presentActor() }) {
      inTransaction(database, () => {
        const before = head();
        const row: AuditRecord = {
          ...{ n: before.rows + 1, at: new Date(clock()).toISOString(), who: kept(by.who), user: by.user },
          ...{ address: kept(by.address), action, about: kept(about), agents: agents === null ? null : kept(agents) },
          ...{ is_refused, hash: '' },
        };
        const { n, at, who, user, address } = row;
        const values = [n, at, who, user, address, action, row.about, row.agents, Number(is_refused)] as const;
        statement.add.run(...values, hashOf(before.hash, row));
      });
    },
    list(filter, limit) {
      const { where, values } = conditionsOf(filter);
      return database
        .prepare(`select * from audit ${where} order by n desc limit ?`)
        .all(...values, limit)
        .map(read);
    },
    readsOfAgent: (login, limit) => statement.ofAgent.all(login, limit).map(read),
    head,
    shorten: (before) =>
      inTransaction(database, () => {
        const last = starts.lastBefore(before);
        if (!last) return 0;
        const first = starts.newest().n + 1;
        // Recorded first, so that there is always a newest row to continue from.
        audit.record({ action: 'audit.shortened', about: aboutStart(last, first, last.at) });
        starts.begin(last);
        return last.n - first + 1;
      }),
    verify(noted) {
      const start = starts.newest();
      let [before, rows, expected, isNoted] = [start.hash, 0, start.n + 1, noted === undefined || noted === start.hash];
      let isStartTold = start.n === 0;
      const broken: AuditVerdict['broken'] = [];
      for (const found of statement.every.iterate()) {
        const row = read(found);
        rows += 1;
        if (row.n !== expected) broken.push({ n: expected, why: `row ${expected} is missing` });
        else if (row.hash !== hashOf(before, row))
          broken.push({ n: row.n, why: `row ${row.n} was changed, or the one before it` });
        [before, expected] = [row.hash, row.n + 1];
        isNoted ||= row.hash === noted;
        isStartTold ||= row.action === 'audit.shortened' && isAboutStart(row.about, start);
      }
      if (!isStartTold)
        broken.push({ n: start.n, why: `rows up to ${start.n} are gone, and no row tells that they were too old` });
      if (!isNoted) {
        const gone = start.n > 0 ? `it is of one of the rows up to ${start.n}, which were too old, ` : '';
        const why = `no row has the hash ${noted}: ${gone}rows after it were removed, or all of them were written again`;
        broken.push({ n: expected, why });
      }
      return { rows, hash: before, broken };
    },
  };
  return audit;
}
