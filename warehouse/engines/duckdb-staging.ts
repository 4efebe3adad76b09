// Loading rows into DuckDB: rows go to a temporary table as plain values, and from there by SQL to where they belong.
import { DuckDBDataChunk, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';
import { BOOLEAN, DOUBLE, INTEGER, VARCHAR, type DuckDBType } from '@duckdb/node-api';
import type { LoadOptions, Row, Value } from '../engine.ts';
import type { Column, ColumnType, Table } from '../tables/tables.ts';

// TRICKY: instants and big integers are staged as doubles (exact up to 2^53) and decimals and dates as text: plain
// JavaScript values fill a chunk several times faster than one object a cell, and SQL converts them exactly.
const staged: Record<ColumnType, { type: DuckDBType; sql: string; into: (name: string) => string }> = {
  text: { type: VARCHAR, sql: 'varchar', into: (name) => name },
  int: { type: INTEGER, sql: 'integer', into: (name) => name },
  bigint: { type: DOUBLE, sql: 'double', into: (name) => `cast(${name} as bigint)` },
  double: { type: DOUBLE, sql: 'double', into: (name) => name },
  decimal: { type: VARCHAR, sql: 'varchar', into: (name) => `cast(${name} as decimal(18, 4))` },
  bool: { type: BOOLEAN, sql: 'boolean', into: (name) => name },
  date: { type: VARCHAR, sql: 'varchar', into: (name) => `cast(${name} as date)` },
  instant: {
    type: DOUBLE,
    sql: 'double',
    into: (name) => `make_timestamptz(cast(round(${name} * 1000000) as bigint))`,
  },
};

const chunkRows = 2048;
const stageName = (table: Table): string => `stage_${table.schema}_${table.name}`;
const columnsOf = (table: Table): [string, Column][] => Object.entries(table.columns);

/** The temporary tables of a connection that writes. They live outside the file. */
export const stagingTables = (tables: readonly Table[]): string[] =>
  tables.map(
    (table) =>
      `create temp table ${stageName(table)} (${columnsOf(table)
        .map(([name, column]) => `"${name}" ${staged[column.type].sql}`)
        .join(', ')})`,
  );

function plain(value: Value | undefined, type: ColumnType): Value {
  if (value === null || value === undefined) return null;
  if (type === 'instant' && typeof value === 'string') return Date.parse(value) / 1000;
  if (type === 'decimal' || type === 'date' || type === 'text')
    return typeof value === 'string' ? value : String(value);
  return value;
}

async function fill(connection: DuckDBConnection, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = columnsOf(table);
  const appender = await connection.createAppender(stageName(table), 'main', 'temp');
  try {
    const chunk = DuckDBDataChunk.create(columns.map(([, column]) => staged[column.type].type));
    for (let from = 0; from < rows.length; from += chunkRows) {
      const part = rows.slice(from, from + chunkRows);
      chunk.reset();
      chunk.setColumns(
        columns.map(([name, column]) => part.map((row) => plain(row[name], column.type) as DuckDBValue)),
      );
      appender.appendDataChunk(chunk);
    }
    // Texts live outside the heap, where the garbage collector cannot see how much memory they take.
    chunk.reset();
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

/** In the order of the table. Sorted by the engine, each long text would be copied twice. */
const sorted = (rows: readonly Row[], { order }: Table): Row[] =>
  rows.toSorted((one, other) => compare(one, other, order));

function compare(one: Row, other: Row, order: readonly string[]): number {
  for (const name of order) {
    const [a, b] = [one[name] ?? '', other[name] ?? ''];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

function assertColumns(table: Table, row: Row | undefined): void {
  const unknown = row && Object.keys(row).find((name) => !(name in table.columns));
  if (unknown) throw new Error(`${table.schema}.${table.name} has no column ${unknown}`);
}

/** Deletes the rows that agree with a mark in all `keys`, then inserts `rows` in the order of the table. */
export async function load(
  connection: DuckDBConnection,
  table: Table,
  rows: readonly Row[],
  options: LoadOptions = {},
): Promise<void> {
  const { replacing = [], marks } = options;
  assertColumns(table, rows[0]);
  const stage = `temp.main.${stageName(table)}`;
  const target = `${table.schema}.${table.name}`;
  const into = (name: string): string => staged[table.columns[name]?.type ?? 'text'].into(`"${name}"`);
  const remove = async (): Promise<void> => {
    const keys = replacing.map((name) => `${into(name)} as "${name}"`).join(', ');
    const agree = replacing.map((name) => `old."${name}" = mark."${name}"`).join(' and ');
    await connection.run(
      `delete from ${target} as old\nusing (select distinct ${keys} from ${stage}) as mark\nwhere ${agree}`,
    );
  };
  await connection.run(`delete from ${stage}`);
  if (marks && replacing.length > 0 && marks.length > 0) {
    const only = marks.map((mark) => Object.fromEntries(replacing.map((name) => [name, mark[name] ?? null])));
    await fill(connection, table, only);
    await remove();
    await connection.run(`delete from ${stage}`);
  }
  if (rows.length === 0) return;
  await fill(connection, table, sorted(rows, table));
  if (!marks && replacing.length > 0) await remove();
  const names = columnsOf(table).map(([name]) => name);
  await connection.run(
    `insert into ${target} (${names.map((name) => `"${name}"`).join(', ')})\n` +
      `select ${names.map(into).join(', ')}\nfrom ${stage}`,
  );
  await connection.run(`delete from ${stage}`);
}
