// What a packed snapshot consists of: for each table its columns and the parts that hold its rows. Parts are files that
// never change; snapshots share them.
import { readFile, writeFile } from 'node:fs/promises';
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

export type Catalogue = z.infer<typeof catalogue>;
export type PackedTable = Catalogue['tables'][number];
export type PackedPart = PackedTable['parts'][number];

export const packedEnding = '.packed.json';
/** Of a catalogue whose snapshot is removed: whoever had it open may still read its parts for a while. */
export const goneEnding = '.gone.json';

export const isPacked = (file: string): boolean => file.endsWith(packedEnding);

/** Where the parts of all packed snapshots lie, beside their catalogues. */
export const partsFolder = (folder: string): string => join(folder, 'snapshots', 'parts');
export const partOf = (catalogueFile: string, file: string): string => join(dirname(catalogueFile), 'parts', file);

/** Catalogues never change, so each is read once. The longest unused goes first. */
const known = new Map<string, Catalogue>();
const most_known = 300;

/** Errors: DamagedWarehouse when it is gone or not what `writeCatalogue` wrote. */
export async function readCatalogue(file: string): Promise<Catalogue> {
  const found = known.get(file) ?? (await parsed(file));
  known.delete(file);
  known.set(file, found);
  for (const [oldest] of known) if (known.size > most_known) known.delete(oldest);
  return found;
}

async function parsed(file: string): Promise<Catalogue> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw new DamagedWarehouse(file, 'there is no such file');
  }
  try {
    return catalogue.parse(JSON.parse(text));
  } catch {
    throw new DamagedWarehouse(file, `it does not list the parts of the snapshot ${basename(file, packedEnding)}`);
  }
}

export const writeCatalogue = (file: string, content: Catalogue): Promise<void> =>
  writeFile(file, JSON.stringify(content));

export const partsIn = ({ description, tables }: Catalogue): readonly PackedPart[] => [
  description,
  ...tables.flatMap(({ parts }) => parts),
];
