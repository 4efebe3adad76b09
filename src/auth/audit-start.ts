// The start of the audit chain: before the first row, or after the last row that was removed for its age.
import type { DatabaseSync } from 'node:sqlite';

/** The last removed row: the next one follows from its hash. */
interface AuditStart {
  n: number;
  hash: string;
}

const auditStartSchema = `
create table if not exists audit_starts (n integer primary key, hash text not null) strict;
create trigger if not exists audit_starts_are_rows before insert on audit_starts
  when not exists (select 1 from audit where n = new.n and hash = new.hash)
  begin select raise(abort, 'the audit is append-only'); end;
create trigger if not exists audit_starts_stay before delete on audit_starts begin select raise(abort, 'the audit is append-only'); end;
create trigger if not exists audit_starts_keep before update on audit_starts begin select raise(abort, 'the audit is append-only'); end;`;

/** Rows up to the newest start may go, and no others. */
const keepsRows = `
create trigger audit_keeps_rows before delete on audit
  when old.n > (select coalesce(max(n), 0) from audit_starts) begin select raise(abort, 'the audit is append-only'); end;`;

/** Also where an earlier version let no row go at all. */
export function prepareAuditStart(database: DatabaseSync): void {
  database.exec(auditStartSchema);
  const [kept] = database.prepare("select sql from sqlite_master where name = 'audit_keeps_rows'").all();
  if (String(kept?.sql).includes('audit_starts')) return;
  database.exec(`begin immediate; drop trigger if exists audit_keeps_rows; ${keepsRows} commit;`);
}

/** Content of the row that records it; a verifier finds there after which row the chain starts. */
export const aboutStart = ({ n, hash }: AuditStart, first: number, at: string): string =>
  `rows ${first} to ${n}, the last of ${at}; its hash was ${hash}`;

export const isAboutStart = (about: string, { n, hash }: AuditStart): boolean =>
  about.includes(` to ${n}, `) && about.endsWith(` ${hash}`);

/** Rows per batch; all other writes wait meanwhile. */
const most_at_once = 20_000;

interface AuditStarts {
  /** If nothing was removed: row 0 without a hash. */
  newest(): AuditStart;
  /** The last of the first rows that are older than an ISO instant, and of no more than go at once; undefined: none is. */
  lastBefore(before: string): (AuditStart & { at: string }) | undefined;
  /** Removes earlier rows and older starts. Part of the running transaction. */
  begin(start: AuditStart): void;
}

export function auditStartsIn(database: DatabaseSync): AuditStarts {
  const statement = {
    newest: database.prepare('select n, hash from audit_starts order by n desc limit 1'),
    // A clock that went back has left older rows behind newer ones: those stay as long as these.
    lastBefore: database.prepare(
      'select n, hash, at from audit where n < (select coalesce(min(n), 9e15) from audit where at >= ?) and n <= ? order by n desc limit 1',
    ),
    add: database.prepare('insert into audit_starts values (?, ?)'),
    remove: database.prepare('delete from audit where n <= ?'),
  };
  const newest = (): AuditStart => {
    const found = statement.newest.get();
    return { n: Number(found?.n ?? 0), hash: String(found?.hash ?? '') };
  };
  return {
    newest,
    lastBefore(before) {
      const found = statement.lastBefore.get(before, newest().n + most_at_once);
      return found && { n: Number(found.n), hash: String(found.hash), at: String(found.at) };
    },
    begin({ n, hash }) {
      statement.add.run(n, hash);
      statement.remove.run(n);
    },
  };
}
