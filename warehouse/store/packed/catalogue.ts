// The content of a packed snapshot: for each table its columns and the parts with its rows. Parts are immutable files that snapshots
// share.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { DamagedWarehouse } from '../../errors.ts';

const part = z.object({ file: z.string(), bytes: z.number() });

const catalogue = z.object({
  version: z.literal(1),
  /** Statements that make the file but for its rows. */
  description: part,
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      /** `type` as the engine names it. */
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      parts: z.array(part),
    }),
  ),
});

export type PackCatalogue = z.infer<typeof catalogue>;
export type PackedTable = PackCatalogue['tables'][number];
export type PackedPart = PackedTable['parts'][number];

export const packedEnding = '.packed.json';
/** Suffix for the catalogue of a removed snapshot: readers that have it open may still need its parts for a while. */
export const goneEnding = '.gone.json';

export const isPacked = (file: string): boolean => file.endsWith(packedEnding);

/** Folder with the parts of all packed snapshots. */
export const partsFolder = (folder: string): string => join(folder, 'parts');

/** A part that a catalogue lists. */
export const partOf = (catalogueFile: string, file: string): string =>
  join(partsFolder(dirname(dirname(catalogueFile))), file);

/** Cached catalogues, keyed by their file status. The least recently used is evicted first. */
const known = new Map<string, { seen: string; content: PackCatalogue }>();
const most_known = 300;

/** Errors: DamagedWarehouse if it is missing or was not written by `writeCatalogue`. */
export async function readCatalogue(file: string): Promise<PackCatalogue> {
  const found = await stat(file).catch(() => null);
  if (!found) throw new DamagedWarehouse(file, 'there is no such file');
  const seen = `${found.ino} ${found.mtimeMs} ${found.size}`;
  const before = known.get(file);
  const content = before?.seen === seen ? before.content : parsed(file, await readFile(file, 'utf8').catch(() => ''));
  known.delete(file);
  known.set(file, { seen, content });
  for (const [oldest] of known) if (known.size > most_known) known.delete(oldest);
  return content;
}

function parsed(file: string, text: string): PackCatalogue {
  try {
    return catalogue.parse(JSON.parse(text));
  } catch {
    throw new DamagedWarehouse(file, `it does not list the parts of the snapshot ${basename(file, packedEnding)}`);
  }
}

export const writeCatalogue = (file: string, content: PackCatalogue): Promise<void> =>
  writeFile(file, JSON.stringify(content));

export const partsIn = ({ description, tables }: PackCatalogue): readonly PackedPart[] => [
  description,
  ...tables.flatMap(({ parts }) => parts),
];
