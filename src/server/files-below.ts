// All files below a folder that others work in meanwhile: what goes while it is looked at is not there.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Undefined for what is gone. Errors: any other. */
export const unlessGone = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Paths that begin with the folder. Links are not followed. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
