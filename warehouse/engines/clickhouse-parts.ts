// Parts of tables in ClickHouse: rows of one account and month under an id of their own, which nobody reads before a snapshot names it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { DamagedWarehouse } from '../errors.ts';
import type { CheckedColumn } from '../dialect.ts';
import type { ClickhouseContent, ClickhousePart, ClickhouseSnapshot, ClickhouseTable } from './clickhouse-catalogue.ts';
import type { ClickhouseConnection } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';
import { isStoredBy, publisherIn, storedName, viewName } from './clickhouse-tables.ts';

/** A table to be stored. */
export interface StoredShape {
  /** With its schema: `facts.chats`. */
  name: string;
  columns: readonly (CheckedColumn & { nullable: boolean })[];
  /** Columns by which rows are sorted. */
  order: readonly string[];
}

const typeOf = ({ type, nullable }: StoredShape['columns'][number]): string => {
  if (type !== 'huge') return clickhouse.type(type, nullable);
  return nullable ? 'Nullable(Int128)' : 'Int128';
};

/** One table holds the rows of all snapshots of a publisher in which it has the same columns. */
export function storedFor(publisher: string, { name, columns, order }: StoredShape): string {
  const shape = JSON.stringify([columns.map((column) => [column.name, typeOf(column)]), order]);
  return storedName(name, createHash('sha256').update(shape).digest('hex').slice(0, 8), publisher);
}

/** `stored`: its name. */
export function createStored({ database }: ClickhouseConnection, stored: string, shape: StoredShape): string {
  const columns = shape.columns.map((column) => `"${column.name}" ${typeOf(column)}`);
  const order = shape.order.map((name) => `"${name}"`).join(', ');
  return (
    `create table if not exists "${database}"."${stored}" (part String, ${columns.join(', ')})\n` +
    `engine = MergeTree partition by part order by (${order}) settings allow_nullable_key = 1`
  );
}

const text = (value: string): string => clickhouse.literal(value, 'text');

/**
 * Puts the rows of a file of columns under the id of a part, and reads them back. `sum`: what `Dialect.checksum` says of the rows where
 * they come from. Errors: DamagedWarehouse, if there are others.
 */
export async function insertPart(
  connection: ClickhouseConnection,
  { stored: name, ...shape }: StoredShape & Pick<ClickhouseTable, 'stored'>,
  { id, rows }: Pick<ClickhousePart, 'id' | 'rows'>,
  { file, sum }: { file: string; sum: string },
): Promise<void> {
  const stored = `"${connection.database}"."${name}"`;
  const columns = ['part', ...shape.columns.map(({ name }) => name)].map((name) => `"${name}"`).join(', ');
  await connection.run(`alter table ${stored} drop partition ${text(id)}`);
  await connection.insert(`insert into ${stored} (${columns}) format Parquet`, createReadStream(file));
  const [found] = await connection.rows(
    `select count(*) as n, ${clickhouse.checksum(shape.columns)} as checked from ${stored} where part = ${text(id)}`,
  );
  if (found?.n !== rows || found.checked !== sum)
    throw new DamagedWarehouse(
      connection.name,
      `${shape.name}: ${Number(found?.n)} rows arrived of ${rows}, or others`,
    );
}

/** An edition's rows of a table. */
export function createView(
  { database }: ClickhouseConnection,
  edition: Pick<ClickhouseSnapshot, 'id' | 'edition' | 'publisher'>,
  table: ClickhouseTable,
): string {
  const columns = table.columns.map((name) => `"${name}"`).join(', ');
  const parts = table.parts.map(({ id }) => text(id));
  return (
    `create or replace view "${database}"."${viewName(edition, table.name)}" as select ${columns} from "${database}"."${table.stored}" ` +
    `where ${parts.length > 0 ? `part in (${parts.join(', ')})` : 'false'}`
  );
}

/** Rows that a database has of a publisher under the id of each part, by stored table and id. */
type PartsThere = ReadonlyMap<string, ReadonlyMap<string, number>>;

export async function partsThere(connection: ClickhouseConnection, publisher: string): Promise<PartsThere> {
  const rows = await connection.rows(
    `select "table", partition, sum(rows) as rows from system.parts
     where active and database = {database:String} and endsWith("table", {ending:String}) group by "table", partition`,
    { database: connection.database, ending: `.${publisher}` },
  );
  return new Map(
    [...Map.groupBy(rows, (row) => String(row.table))]
      .filter(([stored]) => isStoredBy(publisher, stored))
      .map(([stored, own]) => [
        stored,
        new Map(own.map(({ partition, rows: many }) => [String(partition), Number(many)])),
      ]),
  );
}

/** Who has tables or views there, also without a snapshot that names them. */
export async function publishersThere(connection: ClickhouseConnection): Promise<string[]> {
  const { database } = connection;
  const rows = await connection.rows('select name from system.tables where database = {database:String}', { database });
  return rows.flatMap(({ name }) => publisherIn(String(name)) ?? []);
}

/** A part with fewer rows than were put there, of those that are named; undefined: all are there. */
export const partLost = ({ tables }: ClickhouseContent, there: PartsThere): string | undefined =>
  tables
    .flatMap(({ name, stored, parts }) =>
      parts.filter(({ id, rows }) => there.get(stored)?.get(id) !== rows).map(({ id }) => `${name}, part ${id}`),
    )
    .at(0);
