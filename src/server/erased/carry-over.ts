// After a restore: takes over who was erased, and what became too old, since the backup was made.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '#auth/transaction.ts';
import { marksIn } from './marks.ts';
import { tombstonesIn } from './tombstones.ts';

/**
 * `from`: the app.sqlite that was set aside; `to`: the restored one, open; `now` in Unix seconds. How many were taken over; undefined: nobody can tell, because the
 * old file cannot be read or its hashes are of another installation.
 */
export function carryErasedOver(
  from: string,
  to: DatabaseSync,
  now: number,
): { erased: number; marks: number } | undefined {
  if (!existsSync(from)) return undefined;
  let old: DatabaseSync | undefined;
  try {
    old = new DatabaseSync(from);
    return inTransaction(to, () => carried(old as DatabaseSync, to, now));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') throw error;
    return undefined; // it was set aside because it is damaged
  } finally {
    old?.close();
  }
}

function carried(old: DatabaseSync, to: DatabaseSync, now: number): { erased: number; marks: number } | undefined {
  tombstonesIn(to);
  const marks = marksIn(to);
  const before = marks.marks();
  const known = marksIn(old).marks();
  const rows = hasTombstones(old) ? old.prepare('select hash, kind, pseudonym, erased_at from tombstones').all() : [];
  if (rows.length > 0 && !useSaltOf(old, to)) return undefined;
  const insert = to.prepare('insert or ignore into tombstones (hash, kind, pseudonym, erased_at) values (?, ?, ?, ?)');
  let erased = 0;
  for (const { hash, kind, pseudonym, erased_at } of rows)
    erased += Number(insert.run(String(hash), String(kind), String(pseudonym), String(erased_at)).changes);
  marks.advance(known, now);
  const after = marks.marks();
  const moved = Object.entries(after).filter(([kept, day]) => before[kept as keyof typeof before] !== day).length;
  return { erased, marks: moved };
}

const hasTombstones = (database: DatabaseSync): boolean =>
  database.prepare("select 1 from sqlite_master where name = 'tombstones'").get() !== undefined;

/** Hashes of one salt mean nothing beside those of another. A restored file that has no tombstones yet takes the old salt. */
function useSaltOf(old: DatabaseSync, to: DatabaseSync): boolean {
  const saltIn = (database: DatabaseSync): unknown => database.prepare('select salt from erasure_salt').get()?.['salt'];
  const salt = String(saltIn(old));
  if (saltIn(to) === salt) return true;
  if (to.prepare('select 1 from tombstones').get()) return false;
  to.prepare('update erasure_salt set salt = ?').run(salt);
  return true;
}
