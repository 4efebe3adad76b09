// Measures the speed of rebuilding a warehouse from the raw archive, in a process like that of a pull.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '#etl/raw/archive.ts';
import { rebuild } from '#etl/rebuild/rebuild.ts';
import { pullProcess } from '#server/command-process.ts';

export interface Rebuilding {
  chats: number;
  /** Wall time and CPU time of all threads, seconds. */
  seconds: number;
  cpu: number;
  /** Most memory at any moment, MB. */
  memory: number;
}

const self = fileURLToPath(import.meta.url);

/** `folder` holds `archive.file` of a pull that has ended. */
export const rebuildInProcess = (folder: string): Promise<Rebuilding> =>
  new Promise((resolve, reject) => {
    const child = fork(self, [folder], pullProcess);
    child.once('message', (cost) => resolve(cost as Rebuilding));
    child.once('exit', (code) => reject(new Error(`the rebuild ended with exit code ${code}`)));
  });

async function rebuildOnce(folder: string): Promise<Rebuilding> {
  const archive = await openArchive(join(folder, 'archive.file'));
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const file = join(folder, 'again.file');
  const { chats } = await rebuild({ file, archive: archive.engine, records: [], now: Math.floor(Date.now() / 1000) });
  const [seconds, { user, system }] = [(performance.now() - started) / 1000, process.cpuUsage(cpu)];
  await archive.close();
  return { chats, seconds, cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 };
}

if (process.argv[1] === self && process.send) {
  process.send(await rebuildOnce(process.argv[2] ?? ''));
  process.disconnect();
}
