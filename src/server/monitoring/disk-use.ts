// How much room the data folder takes, by kind, and how much is left on its disk.
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { relative } from 'node:path';
import { filesBelow, unlessGone } from '../files-below.ts';

export interface DiskUse {
  /** Bytes. Two names of one file count once. */
  kinds: Record<string, number>;
  free: number;
  /** Of the whole disk. */
  size: number;
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

/** `backups`: the folder of backups, which counts only where it lies on the same disk. */
export function diskUse(folder: string, backups: string | null = null): () => Promise<DiskUse> {
  let known: { at: number; use: Promise<DiskUse> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > old_ms) known = { at: performance.now(), use: look(folder, backups) };
    return known.use;
  };
}

async function look(folder: string, backups: string | null): Promise<DiskUse> {
  const names = [...kindOf.map(([, kind]) => kind), 'backups', 'other'];
  const kinds: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  const seen = new Set<string>();
  const count = async (file: string, kind: string, disk?: number): Promise<void> => {
    const found = await unlessGone(stat(file));
    if (!found || seen.has(`${found.dev} ${found.ino}`) || (disk !== undefined && found.dev !== disk)) return;
    seen.add(`${found.dev} ${found.ino}`);
    kinds[kind] = (kinds[kind] ?? 0) + found.size;
  };
  for (const file of await filesBelow(folder)) {
    const path = relative(folder, file).replaceAll('\\', '/');
    const [, kind] = kindOf.find(([pattern]) => pattern.test(path)) ?? ['', 'other'];
    await count(file, kind);
  }
  if (backups !== null && existsSync(backups)) {
    const { dev } = await stat(folder);
    for (const file of await filesBelow(backups)) await count(file, 'backups', dev);
  }
  const { bavail, blocks, bsize } = await statfs(folder);
  return { kinds, free: bavail * bsize, size: blocks * bsize };
}
