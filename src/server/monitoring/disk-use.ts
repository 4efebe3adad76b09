// How much room the data folder takes, by kind, and how much is left on its disk.
import { stat, statfs } from 'node:fs/promises';
import { relative } from 'node:path';
import { filesBelow, unlessGone } from '../files-below.ts';

interface DiskUse {
  /** Bytes. Two names of one file count once. */
  kinds: Record<string, number>;
  free: number;
}

const kindOf: readonly (readonly [path: RegExp, kind: string])[] = [
  [/^warehouse\/archive/, 'raw_archive'],
  [/^warehouse\//, 'warehouse'],
  [/^published\//, 'snapshots'],
  [/^service\//, 'embedded_service'],
  [/^digests\//, 'digests'],
  [/^app\.sqlite/, 'app'],
];

/** The folder is looked through at most once a minute. */
const old_ms = 60_000;

export function diskUse(folder: string): () => Promise<DiskUse> {
  let known: { at: number; use: Promise<DiskUse> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > old_ms) known = { at: performance.now(), use: look(folder) };
    return known.use;
  };
}

async function look(folder: string): Promise<DiskUse> {
  const kinds: Record<string, number> = Object.fromEntries([...kindOf.map(([, kind]) => [kind, 0]), ['other', 0]]);
  const seen = new Set<string>();
  for (const file of await filesBelow(folder)) {
    const found = await unlessGone(stat(file));
    if (!found || seen.has(`${found.dev} ${found.ino}`)) continue;
    seen.add(`${found.dev} ${found.ino}`);
    const path = relative(folder, file).replaceAll('\\', '/');
    const [, kind] = kindOf.find(([pattern]) => pattern.test(path)) ?? ['', 'other'];
    kinds[kind] = (kinds[kind] ?? 0) + found.size;
  }
  const { bavail, bsize } = await statfs(folder);
  return { kinds, free: bavail * bsize };
}
