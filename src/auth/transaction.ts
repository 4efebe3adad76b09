// Several statements of the program's own SQLite file as one.
import type { DatabaseSync } from 'node:sqlite';

/** All or nothing, with other writers locked out, including other processes. Joins a running transaction. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('begin immediate');
  try {
    const done = work();
    database.exec('commit');
    return done;
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}
