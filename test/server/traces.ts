// Looks for words in a data folder: in the bytes of every file, and in every text of every table of every file that holds tables.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Store } from '#warehouse/engine.ts';
import { openRawArchive, openWarehouse } from '#warehouse/store/open.ts';
import { openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';

/** Places with one of the words in them: a file, or a file with table and column. */
export async function tracesIn(data: string, words: readonly string[]): Promise<string[]> {
  const found = filesBelow(data)
    .filter((file) => {
      const bytes = readFileSync(file);
      return words.some((word) => bytes.includes(word));
    })
    .map((file) => relative(data, file));
  const published = join(data, 'published');
  const opened: [string, () => Promise<Store>][] = [
    ['warehouse', () => openWarehouse(join(data, 'warehouse', 'chatledger.duckdb'), { readOnly: true })],
    ['raw archive', () => openRawArchive(join(data, 'warehouse', 'archive.duckdb'), { readOnly: true })],
    ['newest', () => openWarehouse(join(published, 'chatledger.duckdb'), { readOnly: true })],
    ...(await snapshots(published)).map((id): [string, () => Promise<Store>] => [
      id,
      () => openSnapshot(published, id),
    ]),
  ];
  for (const [name, open] of opened) {
    const engine = await open();
    for (const place of await placesIn(engine, words)) found.push(`${name} ${place}`);
    await engine.close();
  }
  return found;
}

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());

async function placesIn(engine: Store, words: readonly string[]): Promise<string[]> {
  const columns = await engine.query(
    `select table_schema, table_name, column_name
     from information_schema.columns
     where table_catalog = current_database() and data_type = 'VARCHAR' and table_schema <> 'metrics'`,
  );
  const places: string[] = [];
  for (const [table, of] of Map.groupBy(
    columns,
    (row) => `"${String(row.table_schema)}"."${String(row.table_name)}"`,
  )) {
    const holds = of.map(({ column_name }) => {
      const column = `"${String(column_name)}"`;
      const each = words.map((word) => `contains(${column}, '${word.replaceAll("'", "''")}')`).join(' or ');
      return `coalesce(bool_or(${each}), false) as ${column}`;
    });
    const [row = {}] = await engine.query(`select ${holds.join(', ')} from ${table}`);
    for (const { table_schema, table_name, column_name } of of)
      if (row[String(column_name)] === true) places.push(`${table_schema}.${table_name}.${column_name}`);
  }
  return places;
}
