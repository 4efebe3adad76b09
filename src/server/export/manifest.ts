// What a folder of exported files says of itself: each file with its rows, checksum and the snapshot from which it was written.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Stopped } from '../errors.ts';

const file = z.object({
  /** Within the folder, with slashes. */
  path: z.string().regex(/^[^/.][^/]*(\/[^/.][^/]*)*$/),
  /** With its schema: `facts.chats`. */
  table: z.string(),
  account: z.string().nullable(),
  /** `YYYY-MM`; null: all rows of the table. */
  month: z.string().nullable(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** The same as long as the rows are. */
  fingerprint: z.string(),
  /** The snapshot from which it was written; later ones that have the same rows left it. */
  snapshot: z.string(),
});
export type ExportedFile = z.infer<typeof file>;

const manifest = z.object({
  format: z.literal('chatledger-export'),
  version: z.literal(1),
  /** The snapshot whose rows all files together are. */
  snapshot: z.string(),
  published_at: z.iso.datetime(),
  exported_at: z.iso.datetime(),
  files: z.array(file),
});
export type Manifest = z.infer<typeof manifest>;

const manifestFile = 'manifest.json';

/** Null: there is none. @throws Stopped when it is none of an export. */
export function readManifest(folder: string): Manifest | null {
  const path = join(folder, manifestFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new Stopped(
      `${path} is no manifest of an export by this version: name an empty folder, or move what is there elsewhere`,
    );
  }
}

export function writeManifest(folder: string, it: Manifest): void {
  const path = join(folder, manifestFile);
  writeFileSync(`${path}.new`, `${JSON.stringify(it, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}
