// Files that are made for somebody who takes them away: in a folder of the process that makes them, which ends with it.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const name = 'files';

/** `folder` is the data folder. */
export const filesOfProcess = (folder: string, pid: number): string => join(folder, name, String(pid));

/** What processes left that were killed while they made something. */
export function forgetFilesOfDead(folder: string): void {
  const all = join(folder, name);
  if (!existsSync(all)) return;
  for (const pid of readdirSync(all))
    if (!isAlive(Number(pid))) rmSync(join(all, pid), { recursive: true, force: true });
}

/** A process of another user is one, too. This one has made nothing yet when it asks: what has its number is older. */
function isAlive(pid: number): boolean {
  if (pid === process.pid || !Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
