// Several statements of the service's SQLite file as one.
import type { DatabaseSync } from 'node:sqlite';

/** All or nothing, with other writers locked out, including other processes. Errors: those of `work`, and of SQLite, also when the disk is full. */
export function inTransaction<T>(sqlite: DatabaseSync, work: () => T): T {
  sqlite.exec('begin immediate');
  try {
    const done = work();
    sqlite.exec('commit');
    return done;
  } catch (error) {
    // A full disk has rolled it back already.
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}
