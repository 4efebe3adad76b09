// Delivery into the data folder: digests/<digest>/<period>/<reader>/. Writing the same files again is harmless.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { channelKind } from './channel.ts';
import { slugOf, type File, type Letter } from './letter.ts';

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

export const folder = channelKind({
  schema: z.strictObject({ kind: z.literal('folder') }),
  form: { title: 'the data folder' },
  isRepeatable: true,
  async deliver(_, letter, means) {
    try {
      await writeFiles(folderOf(means.folder, letter), letter.files);
      return { kind: 'sent' };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: 'retry', reason: `it cannot be written: ${reason}` };
    }
  },
});
