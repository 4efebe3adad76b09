// The file to which SQLite writes first, written to the disk at once for many writers.
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/** Of a database file. The log stays the same one while the database is open. */
export function writeAheadLog(file: string) {
  let opened: number | undefined;
  const handle = (): number => (opened ??= openSync(`${file}-wal`, 'r+'));
  const is_file = file !== ':memory:';
  return {
    sync: async (): Promise<void> => {
      if (is_file) await sync(handle());
    },
    syncNow(): void {
      if (is_file) fdatasyncSync(handle());
    },
    close(): void {
      if (opened !== undefined) closeSync(opened);
    },
  };
}
