// One writer at a time in a folder that may be one of another machine. The lock of a process that is gone is taken over; of another machine
// nobody can tell.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { exitCodes, Stopped } from './errors.ts';
import { isProcessAlive } from './process-alive.ts';

const holder = z.object({ pid: z.int(), host: z.string() });

/** `file`: of the lock, within the folder unless another place is named. Returns what lets it go. @throws Stopped while another process has it. */
export function lockFolder(file: string, place = dirname(file)): () => void {
  for (let tries = 0; ; tries += 1)
    try {
      writeFileSync(file, lockText(), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 0) throw error;
      const text = textOf(file);
      const who = holderIn(text);
      if (isHeld(text))
        throw new Stopped(
          `${place} is in use by ${who ? `process ${who.pid} of ${who.host}` : 'another process'}: wait until it is done; ` +
            `if there is no such process, remove ${file}`,
          exitCodes.failed,
        );
      rmSync(file, { force: true });
    }
}

/** What a lock says of the process that has it. */
export const lockText = (): string => JSON.stringify({ pid: process.pid, host: hostname() });

/** Undefined: it is none of ours. */
export function holderIn(text: string): z.infer<typeof holder> | undefined {
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether whoever wrote the lock may still be there. */
export function isHeld(text: string): boolean {
  const who = holderIn(text);
  return who?.host !== hostname() || isProcessAlive(who.pid);
}

/** Empty: it was let go just now. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
