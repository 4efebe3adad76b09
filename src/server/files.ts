// Temporary files for downloads, in a folder of the process that creates them; the folder is removed with the process.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const name = 'files';

/** `folder` is the data folder. */
export const filesOfProcess = (folder: string, pid: number): string => join(folder, name, String(pid));

/** Removes the folders of processes that were killed while they created files. */
export function forgetFilesOfDead(folder: string): void {
  const all = join(folder, name);
  if (!existsSync(all)) return;
  for (const pid of readdirSync(all))
    if (!isAlive(Number(pid))) rmSync(join(all, pid), { recursive: true, force: true });
}

/** A process of another user counts as alive. This process has not created files yet, so a folder with its own id is a leftover. */
function isAlive(pid: number): boolean {
  if (pid === process.pid || !Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
