// Loading many short rows into DuckDB: they are written as lines of JSON, which it reads with all its threads.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadOptions, Row } from '../engine.ts';
import { Lines, linesOf } from '../lines.ts';
import type { Column, ColumnType, Table } from '../tables/tables.ts';
import { duckdb } from './duckdb-dialect.ts';

// TRICKY: instants are written as seconds, decimals and dates as text; SQL converts them exactly.
const written: Record<ColumnType, { sql: string; into: (name: string) => string }> = {
  text: { sql: 'varchar', into: (name) => name },
  int: { sql: 'integer', into: (name) => name },
  bigint: { sql: 'bigint', into: (name) => name },
  double: { sql: 'double', into: (name) => name },
  decimal: { sql: 'varchar', into: (name) => `cast(${name} as decimal(18, 4))` },
  bool: { sql: 'boolean', into: (name) => name },
  date: { sql: 'varchar', into: (name) => `cast(${name} as date)` },
  instant: {
    sql: 'double',
    into: (name) => `make_timestamptz(cast(round(${name} * 1000000) as bigint))`,
  },
};

/** Instants may come as ISO text; everything else is written as it is. */
function plain(row: Row, dated: readonly string[]): Row {
  if (dated.every((name) => typeof row[name] !== 'string')) return row;
  const read = (value: Row[string]): Row[string] => (typeof value === 'string' ? Date.parse(value) / 1000 : value);
  return { ...row, ...Object.fromEntries(dated.map((name) => [name, read(row[name] ?? null)])) };
}

function* plainRows(rows: readonly Row[], columns: readonly [string, Column][]): Generator<Row> {
  const dated = columns.filter(([, { type }]) => type === 'instant').map(([name]) => name);
  for (const row of rows) yield plain(row, dated);
}

/** The lines of a file as a table. */
function tableOfLines(file: string, { longest }: Lines, columns: readonly [string, Column][]): string {
  const types = columns.map(([name, { type }]) => `"${name}": '${written[type].sql}'`).join(', ');
  return (
    `read_json(${duckdb.literal(file, 'text')}, format = 'newline_delimited',` +
    ` maximum_object_size = ${Math.max(1_048_576, longest)}, columns = {${types}})`
  );
}

function writeLines(file: string, lines: Lines): void {
  const handle = openSync(file, 'w');
  try {
    for (const buffer of lines.buffers()) writeSync(handle, buffer);
  } finally {
    closeSync(handle);
  }
}

/**
 * Bounds that all marks lie in, for columns by which the table is roughly sorted: whole blocks of old rows are then
 * passed over unread.
 */
function bounds(marks: readonly Row[], columns: readonly [string, Column][]): string {
  const within = columns.flatMap(([name, { type }]) => {
    if (type !== 'int' && type !== 'bigint' && type !== 'date') return [];
    let [least, most] = [marks[0]?.[name] ?? null, marks[0]?.[name] ?? null];
    for (const mark of marks) {
      const value = mark[name] ?? null;
      if (value === null || least === null || most === null) return [];
      if (value < least) least = value;
      if (value > most) most = value;
    }
    return [`old."${name}" between ${duckdb.literal(least, type)} and ${duckdb.literal(most, type)}`];
  });
  return within.map((condition) => `\n  and ${condition}`).join('');
}

function assertColumns(table: Table, row: Row | undefined): void {
  const unknown = row && Object.keys(row).find((name) => !(name in table.columns));
  if (unknown) throw new Error(`${table.schema}.${table.name} has no column ${unknown}`);
}

/**
 * Deletes the rows that agree with a mark in all columns of `replacing`, then inserts `rows`, sorted as the table is;
 * lines are inserted as they come. `file` is overwritten and removed.
 */
export async function loadLines(
  connection: DuckDBConnection,
  file: string,
  table: Table,
  rows: readonly Row[] | Lines,
  { replacing = [], marks = rows instanceof Lines ? [] : rows }: LoadOptions = {},
): Promise<void> {
  const target = `${table.schema}.${table.name}`;
  const columns = Object.entries(table.columns);
  const into = ([name, { type }]: [string, Column]): string => written[type].into(`"${name}"`);
  try {
    if (replacing.length > 0 && marks.length > 0) {
      const keys = columns.filter(([name]) => replacing.includes(name));
      const only = marks.map((mark) => Object.fromEntries(replacing.map((name) => [name, mark[name] ?? null])));
      const lines = linesOf(plainRows(only, keys));
      writeLines(file, lines);
      await connection.run(
        `delete from ${target} as old\n` +
          `using (select distinct ${keys.map((key) => `${into(key)} as "${key[0]}"`).join(', ')} from ${tableOfLines(file, lines, keys)}) as mark\n` +
          `where ${keys.map(([name]) => `old."${name}" = mark."${name}"`).join(' and ')}${bounds(only, keys)}`,
      );
    }
    const lines = rows instanceof Lines ? rows : linesOf(plainRows(rows, columns));
    if (lines.count === 0) return;
    if (!(rows instanceof Lines)) assertColumns(table, rows[0]);
    writeLines(file, lines);
    const order = `\norder by ${table.order.map((name) => `"${name}"`).join(', ')}`;
    await connection.run(
      `insert into ${target} (${columns.map(([name]) => `"${name}"`).join(', ')})\n` +
        `select ${columns.map(into).join(', ')}\nfrom ${tableOfLines(file, lines, columns)}` +
        (rows instanceof Lines ? '' : order),
    );
  } finally {
    rmSync(file, { force: true });
  }
}
