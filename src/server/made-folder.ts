// Makes a folder where somebody named one.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Stopped } from './errors.ts';

/** Including parent folders. TRICKY: `recursive` loops for ever where a folder exists but nothing can be created in it, such as /proc. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

/** One that an option names. @throws Stopped */
export function makeFolderOf(option: string, path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stopped(`${option} ${path} cannot be made (${reason}): name another folder, or make it writable`);
  }
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
