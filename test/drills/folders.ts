// Two small data folders to damage: one closed cleanly, one left by a process that was killed with its logs unfinished.
import { fork } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '#service/service.ts';

export interface Folders {
  closed: string;
  killed: string;
}

const pulling = join(import.meta.dirname, 'pulling.ts');

/** Pulls in a process of its own; a killed one ends itself without closing anything. */
function pullIn(folder: string, url: string, instant: string, end: 'closed' | 'killed'): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(pulling, [folder, url, instant, end], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('exit', (code, signal) => {
      if (end === 'closed' ? code === 0 : signal === 'SIGKILL') resolve();
      else reject(new Error(`pulling ended with ${signal ?? code}`));
    });
  });
}

export async function makeFolders(root: string): Promise<Folders> {
  const [closed, killed] = [join(root, 'closed'), join(root, 'killed')];
  const time = { now: Date.parse('2026-11-18T12:00:00Z') / 1000 };
  const service = await startService({
    file: join(root, 'service.sqlite'),
    ...{ days: 3, port: 0, apiKey: 'secret', clock: () => time.now },
  });
  try {
    await pullIn(closed, service.url, '2026-11-18T12:00:00Z', 'closed');
    cpSync(closed, killed, { recursive: true, preserveTimestamps: true });
    time.now += 4 * 3600;
    await pullIn(killed, service.url, '2026-11-18T16:00:00Z', 'killed');
  } finally {
    await service.close();
  }
  return { closed, killed };
}
