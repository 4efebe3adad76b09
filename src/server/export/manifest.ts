// What exported files say of themselves: each file with its rows, checksum and the snapshot from which it was written.
import { z } from 'zod';
import { Stopped } from '../errors.ts';

const file = z.object({
  /** Within the folder or bucket, with slashes. */
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

export const manifestFile = 'manifest.json';

/** `place`: where it was found. @throws Stopped when it is none of an export. */
export function parseManifest(text: string, place: string): Manifest {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new Stopped(
      `${place}/${manifestFile} is no manifest of an export by this version: name an empty place, or move what is there elsewhere`,
    );
  }
}

export const manifestText = (it: Manifest): string => `${JSON.stringify(it, null, 1)}\n`;
