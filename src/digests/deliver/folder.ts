// Delivery into the data folder: digests/<digest>/<period>/<reader>/. Writing the same again is no harm.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { File } from '../rendered.ts';
import { slugOf, type Letter } from './letter.ts';
import type { Outcome } from './outcome.ts';

export const folderOf = (
  root: string,
  { digest, period, reader }: Pick<Letter, 'digest' | 'period' | 'reader'>,
): string => join(root, digest, period, slugOf(reader.name));

/** Each file appears whole or not at all. Returns their paths. */
export async function writeFiles(folder: string, files: readonly File[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const { name, bytes } of files) {
    const path = join(folder, name);
    await writeFile(`${path}.new`, bytes);
    await rename(`${path}.new`, path);
    paths.push(path);
  }
  return paths;
}

export async function toFolder(letter: Letter, root: string): Promise<Outcome> {
  try {
    await writeFiles(folderOf(root, letter), letter.files);
    return { kind: 'sent' };
  } catch (error) {
    return { kind: 'retry', reason: `it cannot be written: ${error instanceof Error ? error.message : String(error)}` };
  }
}
