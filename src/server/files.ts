// Temporary files for downloads, in a folder of the process that creates them; the folder is removed with the process.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from './process-alive.ts';

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

/** This process has not created files yet, so a folder with its own id is a leftover. */
const isAlive = (pid: number): boolean => pid !== process.pid && Number.isInteger(pid) && isProcessAlive(pid);
