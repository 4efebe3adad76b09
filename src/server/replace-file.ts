// Replaces a small file as a whole: whoever reads it finds the old content or the new one, whichever program writes at the same moment.
import { randomInt } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

// TRICKY: no id of a process: programs in containers that share the folder have the same ones, and do not see each other's.
/** The path of the content, written beside `file` under a name that nobody else takes. */
export function writeBeside(file: string, content: string | Uint8Array, written: Written = {}): string {
  forgetLeft(file);
  const own = `${file}.${randomInt(names)}.new`;
  try {
    writeFileSync(own, content, written);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
  return own;
}

const names = 2 ** 48 - 1;
const beside_file = /^(\.\d+)?\.new$/;
/** Milliseconds; to write a small file takes some. */
const long_ago = 600_000;

/** What was written beside `file` long ago, by processes that were killed before it took its place. */
function forgetLeft(file: string): void {
  const [folder, start] = [dirname(file), basename(file)];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !beside_file.test(name.slice(start.length))) continue;
    const left = join(folder, name);
    const { mtimeMs = Infinity } = statSync(left, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - long_ago) rmSync(left, { force: true });
  }
}
