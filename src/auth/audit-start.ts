// Where the chain of the audit begins: before the first row, or behind the last of the rows that were let go because of their age.
import type { DatabaseSync } from 'node:sqlite';

/** The last row that was let go: the next one follows from its hash. */
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

/** What the row says that records it; whoever reads the chain finds there which row it begins behind. */
export const aboutStart = ({ n, hash }: AuditStart, first: number, at: string): string =>
  `rows ${first} to ${n}, the last of ${at}; its hash was ${hash}`;

export const isAboutStart = (about: string, { n, hash }: AuditStart): boolean =>
  about.includes(` to ${n}, `) && about.endsWith(` ${hash}`);

/** Rows; everybody waits while they go. */
const most_at_once = 20_000;

interface AuditStarts {
  /** Nothing was let go: row 0, and no hash. */
  newest(): AuditStart;
  /** The last of the first rows that are older than an ISO instant, and of no more than go at once; undefined: none is. */
  lastBefore(before: string): (AuditStart & { at: string }) | undefined;
  /** Lets go what comes before and itself. Part of the transaction under way. */
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
