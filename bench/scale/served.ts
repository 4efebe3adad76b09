// The product in a process of its own, as an operator starts it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zone } from '../generate.ts';

const program = join(import.meta.dirname, '..', '..', 'src', 'server', 'chatledger.ts');

export interface Running {
  url: string;
  /** Of the program itself, and of it with what it started, at this moment. */
  own_mb: () => number;
  memory_mb: () => number;
  end: () => Promise<void>;
}

const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0 && existsSync(`/proc/${id}/stat`))
    .filter((id) => {
      try {
        return Number(readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === pid;
      } catch {
        return false; // it ended meanwhile
      }
    });
  return [pid, ...children.flatMap(familyOf)];
}

/** Starts a command that serves, on a free port. Errors: it ended, with its words. */
export async function running(command: string, settings: Readonly<Record<string, string>>): Promise<Running> {
  const env = { ...process.env, ...settings, CHATLEDGER_PORT: '0' };
  const child = spawn(process.execPath, [program, command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (part: Buffer): void => {
      said += part.toString();
      const [found] = /http:\/\/[\d.]+:\d+(?=\s)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => reject(new Error(`${command} ended: ${said}`)));
  });
  const pid = child.pid ?? 0;
  return {
    url,
    own_mb: () => residentOf(pid),
    memory_mb: () => familyOf(pid).reduce((sum, id) => sum + residentOf(id), 0),
    async end() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** `seconds`: from the start of the process to the whole of its first page. */
export async function serving(folder: string, page: string): Promise<Running & { seconds: number }> {
  const began = performance.now();
  const served = await running('serve', { CHATLEDGER_DATA: folder, CHATLEDGER_TIMEZONE: zone });
  const answer = await fetch(served.url + page, { headers: { accept: 'text/html' } });
  await answer.text();
  if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
  return { ...served, seconds: (performance.now() - began) / 1000 };
}
