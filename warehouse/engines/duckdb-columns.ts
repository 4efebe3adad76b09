// Loading rows into DuckDB: they are written as a file of columns, which it reads without parsing anything.
import { rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ColumnBatch, columnsOf } from '../columns.ts';
import type { LoadOptions, Row } from '../engine.ts';
import type { Column, ColumnType, Table } from '../tables/tables.ts';
import { duckdb } from './duckdb-dialect.ts';
import { writeParquet } from './duckdb-parquet.ts';

/** What becomes of a written value in its column. */
const converted: Partial<Record<ColumnType, (name: string) => string>> = {
  decimal: (name) => `cast(${name} as decimal(18, 4))`,
  date: (name) => `cast(${name} as date)`,
  instant: (name) => `make_timestamptz(${name})`,
};

const into = ([name, { type }]: [string, Column]): string => converted[type]?.(`"${name}"`) ?? `"${name}"`;

/** The columns of a file as a table. */
const tableOf = (file: string): string => `read_parquet(${duckdb.literal(file, 'text')})`;

/** Bounds of all marks in columns by which the table is roughly sorted, so that whole blocks of old rows can be skipped. */
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
 * Deletes the rows that match a mark in all columns of `replacing`, then inserts `rows` in the table's sort order; columns are inserted
 * as they come. `file` is overwritten and removed.
 */
export async function loadColumns(
  connection: DuckDBConnection,
  file: string,
  table: Table,
  rows: readonly Row[] | ColumnBatch,
  { replacing = [], marks = rows instanceof ColumnBatch ? [] : rows }: LoadOptions = {},
): Promise<void> {
  const target = `${table.schema}.${table.name}`;
  const columns = Object.entries(table.columns);
  try {
    if (replacing.length > 0 && marks.length > 0) {
      const keys = columns.filter(([name]) => replacing.includes(name));
      writeParquet(file, columnsOf(table, marks, replacing));
      await connection.run(
        `delete from ${target} as old\n` +
          `using (select distinct ${keys.map((key) => `${into(key)} as "${key[0]}"`).join(', ')} from ${tableOf(file)}) as mark\n` +
          `where ${keys.map(([name]) => `old."${name}" = mark."${name}"`).join(' and ')}${bounds(marks, keys)}`,
      );
    }
    if (!(rows instanceof ColumnBatch)) assertColumns(table, rows[0]);
    const given = rows instanceof ColumnBatch ? rows : columnsOf(table, rows);
    if (given.count === 0) return;
    writeParquet(file, given);
    const order = `\norder by ${table.order.map((name) => `"${name}"`).join(', ')}`;
    await connection.run(
      `insert into ${target} (${columns.map(([name]) => `"${name}"`).join(', ')})\n` +
        `select ${columns.map(into).join(', ')}\nfrom ${tableOf(file)}` +
        (rows instanceof ColumnBatch ? '' : order),
    );
  } finally {
    rmSync(file, { force: true });
  }
}
