// Snapshots that went before their age because there was no room: `published/lost.json`, ids with when they went and what pinned them.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DamagedWarehouse } from '../errors.ts';

/** When it was removed, ISO, and why it was pinned, if it was. The first version of the file had the instant alone. */
const gone = z
  .object({ at: z.iso.datetime(), pinned: z.string().nullable() })
  .or(z.iso.datetime().transform((at) => ({ at, pinned: null })));
/** By snapshot id. */
const lost = z.record(z.string(), gone);
type LostDays = Readonly<z.infer<typeof lost>>;

const fileOf = (folder: string): string => join(folder, 'lost.json');

/** Errors: DamagedWarehouse when the file is not what `writeLost` wrote. */
export async function readLost(folder: string): Promise<LostDays> {
  const text = await readFile(fileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return lost.parse(JSON.parse(text));
  } catch {
    throw new DamagedWarehouse(
      fileOf(folder),
      'it must hold {"<snapshot id>": {"at": "<instant>", "pinned": null}}: remove it, only a sentence is lost',
    );
  }
}

export async function writeLost(folder: string, next: LostDays): Promise<void> {
  const fresh = `${fileOf(folder)}.new`;
  await writeFile(fresh, `${JSON.stringify(next, null, 2)}\n`);
  await rename(fresh, fileOf(folder));
}
