// The product in a separate process, as an operator starts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf } from '#server/descendants.ts';
import { freePort } from '../../test/ports.ts';
import { zone } from '../generate.ts';

const program = join(import.meta.dirname, '..', '..', 'src', 'server', 'chatledger.js');

export interface Running {
  url: string;
  pid: number;
  /** Current memory of the program itself, and including its child processes. */
  own_mb: () => number;
  memory_mb: () => number;
  end: () => Promise<void>;
}

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Starts a command that serves, and waits until it answers. Errors: it ended, with its words. */
export async function running(command: string, settings: Readonly<Record<string, string>>): Promise<Running> {
  const port = await freePort();
  const env = { ...process.env, ...settings, CHATLEDGER_PORT: String(port) };
  const child = spawn(process.execPath, [program, command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const url = `http://127.0.0.1:${port}`;
  for (let isThere = false; !isThere;) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    isThere = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (!isThere) await pause(20);
  }
  const pid = child.pid ?? 0;
  return {
    ...{ url, pid },
    own_mb: () => residentOf(pid),
    memory_mb: () => [pid, ...descendantsOf(pid)].reduce((sum, id) => sum + residentOf(id), 0),
    async end() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** `seconds`: from the start of the process to the end of its first page. */
export async function serving(folder: string, page: string): Promise<Running & { seconds: number }> {
  const began = performance.now();
  const served = await running('serve', { CHATLEDGER_DATA: folder, CHATLEDGER_TIMEZONE: zone });
  const answer = await fetch(served.url + page, { headers: { accept: 'text/html' } });
  await answer.text();
  if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
  return { ...served, seconds: (performance.now() - began) / 1000 };
}
