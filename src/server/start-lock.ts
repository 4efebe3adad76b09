// One `start` at a time in a data folder: a lock of the system on a file there, which ends with the process however it ends.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Stopped, stoppedBySqlite } from './errors.ts';

/** Empty: SQLite writes nothing to it, only its lock counts. */
export const startLock = 'start.lock';

/**
 * Returns what lets the folder go. @throws Stopped while somebody else has it.
 * TRICKY: a process that closes any descriptor of the file loses its lock, so one that is there is opened by SQLite alone.
 */
export function holdStartLock(folder: string): () => void {
  const file = join(folder, startLock);
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(file);
  try {
    lock.exec('pragma busy_timeout = 0; begin immediate;');
  } catch (error) {
    lock.close();
    throw isBusy(error)
      ? new Stopped(
          `another 'chatledger start' runs on ${folder}, and two would pull, send and write to it at once: ` +
            'stop that one, or set CHATLEDGER_DATA to another folder',
        )
      : (stoppedBySqlite(error, file) ?? error);
  }
  return () => lock.close();
}

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
