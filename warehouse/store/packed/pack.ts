// Packs a snapshot that is not asked every second any more: its rows become parts that it shares with other snapshots.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Engine, Store } from '../../engine.ts';
import { flush } from '../swap.ts';
import { partsFolder, writeCatalogue, type PackedPart, type PackedTable } from './catalogue.ts';
import { chunksOf, type PackedChunk, type OwnColumn, type OwnTable } from './chunks.ts';

export const partEnding = '.rows';
const sum_length = 32;

/** Checksum of a file, short enough for a name. */
export async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex').slice(0, sum_length);
}

/** The sum that the name of a part promises. */
export const promisedSum = (file: string): string => /-([0-9a-f]{32})\.\w+$/.exec(file)?.[1] ?? '';

export interface ListedTable extends OwnTable {
  schema: string;
  name: string;
}

/** Tables of a file as they are, whichever version of the program created it. */
export async function tablesIn(engine: Engine): Promise<ListedTable[]> {
  const rows = await engine.query(
    'select c.table_schema, c.table_name, c.column_name, c.data_type\nfrom information_schema.columns as c\n' +
      'join information_schema.tables as t using (table_catalog, table_schema, table_name)\n' +
      "where c.table_catalog = current_database() and t.table_type = 'BASE TABLE'\n" +
      'order by c.table_schema, c.table_name, c.ordinal_position',
  );
  const instant = engine.dialect.typeName('instant');
  const byTable = Map.groupBy(rows, (row) => `${String(row.table_schema)}.${String(row.table_name)}`);
  return [...byTable.values()].map((own) => ({
    schema: String(own[0]?.table_schema),
    name: String(own[0]?.table_name),
    from: `"${String(own[0]?.table_schema)}"."${String(own[0]?.table_name)}"`,
    columns: own.map(({ column_name, data_type }) => ({
      ...{ name: String(column_name), type: String(data_type), isInstant: data_type === instant },
    })),
  }));
}

/** Existing parts, by content. */
async function partsThere(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder);
  return new Map(
    names
      .filter((name) => name.endsWith(partEnding))
      .map((name) => [name.slice(0, name.lastIndexOf('-')), name] as const),
  );
}

/**
 * Writes the parts of an open snapshot that are not there yet, and then the file that lists them all: a kill in between
 * leaves parts that nobody lists. `today`: the day of the snapshot, counted from 1970.
 */
export async function pack(engine: Store, folder: string, file: string, today: number): Promise<void> {
  const parts = partsFolder(folder);
  await mkdir(parts, { recursive: true });
  const there = await partsThere(parts);
  const listed = await tablesIn(engine);
  const chunks = await chunksOf(engine, listed, today);
  const tables: PackedTable[] = [];
  for (const [index, { schema, name, from, columns }] of listed.entries()) {
    const own: PackedPart[] = [];
    for (const chunk of chunks[index] ?? []) {
      const held = holding(`${schema}.${name}`, columns, chunk);
      const part = there.get(held) ?? (await writePart(engine, parts, held, { from, columns, chunk }));
      there.set(held, part);
      own.push({ file: part, bytes: (await stat(join(parts, part))).size });
    }
    tables.push({
      ...{ schema, name, columns: columns.map(({ name: column, type }) => ({ name: column, type })), parts: own },
    });
  }
  const description = await describe(engine, parts);
  await flush(parts);
  const fresh = `${file}.part`;
  await writeCatalogue(fresh, { version: 1, description, tables });
  await flush(fresh);
  await rename(fresh, file);
  await flush(dirname(file));
}

/** Content of a part: these rows of these columns. */
function holding(table: string, columns: readonly OwnColumn[], { name, rows, fingerprint }: PackedChunk): string {
  const shape = createHash('sha256').update(JSON.stringify(columns)).digest('hex').slice(0, 8);
  return [table, name, shape, rows, fingerprint].join('-');
}

async function describe(engine: Store, parts: string): Promise<PackedPart> {
  const text = JSON.stringify(await engine.description());
  const file = `description-${createHash('sha256').update(text).digest('hex').slice(0, sum_length)}.json`;
  if (!existsSync(join(parts, file))) {
    const fresh = join(parts, `${randomUUID()}.part`);
    await writeFile(fresh, text);
    await flush(fresh);
    await rename(fresh, join(parts, file));
  }
  return { file, bytes: Buffer.byteLength(text) };
}

interface PackedRows {
  from: string;
  columns: readonly OwnColumn[];
  chunk: PackedChunk;
}

async function writePart(
  engine: Store,
  parts: string,
  held: string,
  { from, columns, chunk }: PackedRows,
): Promise<string> {
  const fresh = join(parts, `${randomUUID()}.part`);
  try {
    const which = chunk.where === undefined ? '' : ` where ${chunk.where}`;
    await engine.exec(engine.dialect.writeRows(columns, `${from}${which}`, fresh));
    await flush(fresh);
    const part = `${held}-${await sumOf(fresh)}${partEnding}`;
    await rename(fresh, join(parts, part));
    return part;
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
