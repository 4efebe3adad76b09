// Replaces a small file as a whole: whoever reads it finds the old content or the new one, whichever program writes at the same moment.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from './process-alive.ts';

interface Written {
  /** Of the file; by default as the system makes files. */
  mode?: number;
  /** Whether it must be on the disk before it takes the other's place. */
  flush?: boolean;
}

/** Errors: those of the file system; the old file then stays, and nothing beside it. */
export function replaceFile(file: string, content: string | Uint8Array, written: Written = {}): void {
  const beside = writeBeside(file, content, written);
  try {
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** The path of the content, written beside `file` under a name of this process. */
export function writeBeside(file: string, content: string | Uint8Array, written: Written = {}): string {
  forgetLeft(file);
  const own = `${file}.${process.pid}.new`;
  try {
    writeFileSync(own, content, written);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
  return own;
}

/** What processes wrote beside `file` that were killed before it took its place. */
function forgetLeft(file: string): void {
  const [folder, start] = [dirname(file), `${basename(file)}.`];
  for (const name of readdirSync(folder)) {
    const id = name.startsWith(start) && name.endsWith('.new') ? name.slice(start.length, -'.new'.length) : undefined;
    if (id !== undefined && /^\d+$/.test(id) && !isProcessAlive(Number(id)))
      rmSync(join(folder, name), { force: true });
  }
}
