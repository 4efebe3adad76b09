// Temporary files for downloads, in a folder of the process that creates them; the folder is removed with the process.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from './process-alive.ts';

const name = 'files';

/** `folder` is the data folder. */
export const filesOfProcess = (folder: string, pid: number): string => join(folder, name, String(pid));

/** Folders of processes that were killed while they created files. */
export function filesOfDead(folder: string): string[] {
  const all = join(folder, name);
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .filter((pid) => !Number.isInteger(Number(pid)) || !isProcessAlive(Number(pid)))
    .map((pid) => join(all, pid));
}

/** This process has not created files yet, so a folder with its own id is a leftover too. */
export function forgetFilesOfDead(folder: string): void {
  for (const path of [...filesOfDead(folder), filesOfProcess(folder, process.pid)])
    rmSync(path, { recursive: true, force: true });
}
