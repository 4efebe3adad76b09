// The file of what the program keeps for people and digests: SQLite in the data folder, beside the warehouse, never in it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Stopped } from '../errors.ts';

/** Each room makes its own tables in it. @throws Stopped when the file is damaged or belongs to something else. */
export function openAppState(folder: string): DatabaseSync {
  const file = join(folder, 'app.sqlite');
  try {
    const database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal; pragma busy_timeout = 5000; pragma synchronous = normal;');
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stopped(
      `${file} cannot be opened (${reason}): restore it from a backup, or move it away to start afresh`,
    );
  }
}
