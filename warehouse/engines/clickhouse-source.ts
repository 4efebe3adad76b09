// What there is to put into ClickHouse: the tables of a published file, with their columns, their order and their parts.
import { createHash } from 'node:crypto';
import type { Engine, Row } from '../engine.ts';
import type { CheckedColumn } from '../dialect.ts';
import type { RowPart } from '../read/monthly-rows.ts';
import { tables, type ColumnType } from '../tables/tables.ts';
import type { StoredShape } from './clickhouse-parts.ts';

/** An account with fewer rows of a table has them in one part. */
const rows_together = 100_000;

const kinds: readonly ColumnType[] = ['text', 'int', 'bigint', 'double', 'decimal', 'bool', 'date', 'instant'];

/** The tables of a file, and how its engine names their types. */
export interface FileTable extends StoredShape {
  fileColumns: readonly { name: string; type: string }[];
}

export async function tablesIn(engine: Engine): Promise<FileTable[]> {
  const kindOf = (type: string): CheckedColumn['type'] => {
    const found = kinds.find((kind) => engine.dialect.typeName(kind) === type);
    if (found === undefined && type !== 'HUGEINT') throw new Error(`no other engine has the type ${type}`);
    return found ?? 'huge';
  };
  const rows = await engine.query(
    `select c.table_schema || '.' || c.table_name as name, c.column_name, c.data_type, c.is_nullable
     from information_schema.columns as c
     join information_schema.tables as t using (table_catalog, table_schema, table_name)
     where c.table_catalog = current_database() and t.table_type = 'BASE TABLE'
     order by name, c.ordinal_position`,
  );
  const column = (row: Row) => ({
    ...{ name: String(row.column_name), type: kindOf(String(row.data_type)), nullable: row.is_nullable === 'YES' },
  });
  return [...Map.groupBy(rows, (row) => String(row.name))].map(([name, own]) => ({
    ...{ name, columns: own.map(column), order: orderOf(name, own.map(column)) },
    fileColumns: own.map((row) => ({ name: String(row.column_name), type: String(row.data_type) })),
  }));
}

/** Columns that other tables are sorted by, as far as they have them. */
const usual = ['account', 'started_quarter', 'quarter', 'day', 'chat_id', 'position', 'name'];

function orderOf(name: string, columns: readonly { name: string }[]): readonly string[] {
  const declared = tables.find((table) => `${table.schema}.${table.name}` === name)?.order;
  const has = (wanted: string): boolean => columns.some((column) => column.name === wanted);
  const found = (declared ?? usual).filter(has);
  return found.length > 0 ? found : columns.slice(0, 1).map((column) => column.name);
}

/** Months of an account with few rows are one part. */
export function together(parts: readonly RowPart[]): RowPart[] {
  const byAccount = Map.groupBy(parts, ({ account }) => account);
  return [...byAccount.values()].flatMap((own) => {
    const rows = own.reduce((sum, part) => sum + part.rows, 0);
    const [first] = own;
    if (!first || rows > rows_together || first.month === null) return own;
    const all = own.map(({ month, rows: many, fingerprint }) => `${month} ${many} ${fingerprint}`).join('\n');
    return [{ ...first, month: null, rows, fingerprint: createHash('sha256').update(all).digest('hex') }];
  });
}
