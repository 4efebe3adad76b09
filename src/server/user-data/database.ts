// The file with data of users and digests: SQLite in the data folder, next to the warehouse but never part of it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Stopped, stoppedBySqlite } from '../errors.ts';

/** Version of this program's tables, stored in the file (`user_version`); a higher number belongs to a newer program. */
export const appStateLayout = 1;

export const appStateFile = (folder: string): string => join(folder, 'app.sqlite');

/** Each room makes its own tables in it. @throws Stopped when the file is damaged, or belongs to a newer program or to something else. */
export function openAppState(folder: string): DatabaseSync {
  return withAppState(folder, () => {
    const database = new DatabaseSync(appStateFile(folder));
    try {
      database.exec('pragma busy_timeout = 1000');
      assertKnown(folder, database);
      database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on;');
      const [found] = database.prepare('pragma quick_check(1)').all();
      if (found?.['quick_check'] !== 'ok') throw damaged(String(found?.['quick_check']));
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Before anything is written. */
function assertKnown(folder: string, database: DatabaseSync): void {
  const version = Number(database.prepare('pragma user_version').get()?.['user_version']);
  if (version > appStateLayout)
    throw new Stopped(
      `${appStateFile(folder)} was written by a newer version (layout ${version}, this program knows ${appStateLayout}) and is left as it is: ` +
        'update the program, or set CHATLEDGER_DATA to another folder',
    );
  if (version < appStateLayout) database.exec(`pragma user_version = ${appStateLayout}`);
}

/** Turns errors of the file into sentences, also while tables are created or read: it may be a different program's file. */
export function withAppState<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw stoppedBySqlite(error, appStateFile(folder)) ?? error;
  }
}

const damaged = (words: string): Error =>
  Object.assign(new Error(words.replace(/^\*+ in database main \*+\s*/, '')), { code: 'ERR_SQLITE_ERROR' });
