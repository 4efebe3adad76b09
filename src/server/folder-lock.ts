// One writer at a time in a folder that may be one of another machine. The lock of a process that is gone is taken over; of another machine
// nobody can tell.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { exitCodes, Stopped } from './errors.ts';
import { isProcessAlive } from './process-alive.ts';

const holder = z.object({ pid: z.int(), host: z.string() });

/** `file`: of the lock, within the folder. Returns what lets it go. @throws Stopped while another process has it. */
export function lockFolder(file: string): () => void {
  for (let tries = 0; ; tries += 1)
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 0) throw error;
      const who = holderOf(file);
      if (who?.host !== hostname() || isProcessAlive(who.pid))
        throw new Stopped(
          `${dirname(file)} is in use by ${who ? `process ${who.pid} of ${who.host}` : 'another process'}: wait until it is done; ` +
            `if there is no such process, remove ${file}`,
          exitCodes.failed,
        );
      rmSync(file, { force: true });
    }
}

function holderOf(file: string): z.infer<typeof holder> | undefined {
  try {
    return holder.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined; // it was let go just now, or is not ours
  }
}
