// One `start` at a time in a data folder, and one embedded service: locks of the system on files there, which end with the process however it ends.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Stopped, stoppedBySqlite } from './errors.ts';

/** Empty: SQLite writes nothing to it, only its lock counts. */
export const startLock = 'start.lock';

/** Returns what lets the folder go. @throws Stopped while somebody else has it. */
export const holdStartLock = (folder: string): (() => void) =>
  hold(
    join(folder, startLock),
    `another 'chatledger start' runs on ${folder}, and two would pull, send and write to it at once: ` +
      'stop that one, or set CHATLEDGER_DATA to another folder',
  );

/** The same for the embedded service, which `start` runs too. */
export const holdServiceLock = (folder: string): (() => void) =>
  hold(
    join(folder, 'service', 'service.lock'),
    `the embedded service of ${folder} runs already, by 'chatledger start' or 'chatledger service', and two would write to its account at ` +
      'once: use that one, or set CHATLEDGER_DATA to another folder',
  );

/** TRICKY: a process that closes any descriptor of the file loses its lock, so one that is there is opened by SQLite alone. */
function hold(file: string, held: string): () => void {
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(file);
  try {
    lock.exec('pragma busy_timeout = 0; begin immediate;');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new Stopped(held) : (stoppedBySqlite(error, file) ?? error);
  }
  return () => lock.close();
}

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
