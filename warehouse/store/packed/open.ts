// Opens a packed snapshot: a database of views, each over the parts of one table.
import { rename, stat } from 'node:fs/promises';
import type { Store } from '../../engine.ts';
import { openViews, type OpenOptions } from '../../engines/default.ts';
import { DamagedWarehouse } from '../../errors.ts';
import { partOf, partsIn, readCatalogue, type PackCatalogue, type PackedPart } from './catalogue.ts';
import { promisedSum, sumOf } from './pack.ts';

/** Parts verified by this process, keyed by their file status: they never change. */
const checked = new Map<string, string>();

/** Errors: those of `checkParts`. */
export async function openPacked(file: string, options: OpenOptions): Promise<Store> {
  const catalogue = await readCatalogue(file);
  await checkParts(file, catalogue);
  return openViews(file, (dialect) => viewsOf(file, catalogue, dialect), options);
}

/** One table alone; its parts are not verified, so that nothing is set aside. Errors: those of readCatalogue. */
export async function openPackedTable(file: string, schema: string, name: string): Promise<Store> {
  const catalogue = await readCatalogue(file);
  const wanted = catalogue.tables.filter((table) => table.schema === schema && table.name === name);
  return openViews(file, (dialect) => viewsOf(file, { ...catalogue, tables: wanted }, dialect));
}

/** Errors: DamagedWarehouse if one is missing or has changed. */
export async function checkParts(file: string, catalogue: PackCatalogue): Promise<void> {
  for (const part of partsIn(catalogue)) await check(file, part);
}

function viewsOf(file: string, { tables }: PackCatalogue, { rowsOf }: Store['dialect']): string[] {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  return [
    ...schemas.filter((schema) => schema !== 'main').map((schema) => `create schema "${schema}"`),
    ...tables.map(({ schema, name, columns, parts }) => {
      const files = parts.map((part) => partOf(file, part.file));
      return `create view "${schema}"."${name}" as ${rowsOf(columns, files)}`;
    }),
  ];
}

async function check(catalogueFile: string, part: PackedPart): Promise<void> {
  const file = partOf(catalogueFile, part.file);
  const found = await stat(file).catch(() => null);
  const isLikeThat = found?.size === part.bytes;
  const seen = `${found?.ino} ${found?.mtimeMs} ${found?.size}`;
  if (isLikeThat && checked.get(file) === seen) return;
  if (isLikeThat && (await sumOf(file)) === promisedSum(part.file)) {
    checked.set(file, seen);
    return;
  }
  // The next snapshot with the same rows writes it anew, for all that list it.
  if (found) await rename(file, `${file}.damaged`).catch(() => undefined);
  throw new DamagedWarehouse(catalogueFile, `its part ${part.file} is damaged or gone`);
}
