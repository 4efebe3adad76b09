// The structure of a DuckDB file without its rows: statements in an order that works on an empty one.
import type { Row } from '../engine.ts';
import { duckdb } from './duckdb-dialect.ts';

type RunQuery = (sql: string) => Promise<Row[]>;

const own = 'database_name = current_database() and not internal';

export async function descriptionOf(query: RunQuery): Promise<string[]> {
  const made = async (from: string, order: string): Promise<string[]> =>
    (await query(`select sql from ${from} where ${own} order by ${order}`)).map(({ sql }) => String(sql));
  const schemas = await query(`select schema_name from duckdb_schemas() where ${own} order by schema_name`);
  return [
    ...schemas.map(({ schema_name }) => `create schema if not exists "${String(schema_name)}"`),
    ...(await made('duckdb_tables()', 'schema_name, table_name')),
    ...(await made('duckdb_views()', 'view_oid')),
    ...(await comments(query)),
  ];
}

async function comments(query: RunQuery): Promise<string[]> {
  const found = await query(
    `select 'table' as kind, schema_name, table_name, null as column_name, comment from duckdb_tables() where ${own}
     union all
     select 'view', schema_name, view_name, null, comment from duckdb_views() where ${own}
     union all
     select 'column', schema_name, table_name, column_name, comment from duckdb_columns() where ${own}
     order by all`,
  );
  return found
    .filter(({ comment }) => comment !== null)
    .map(({ kind, schema_name, table_name, column_name, comment }) => {
      const names = [schema_name, table_name, ...(column_name === null ? [] : [column_name])];
      const whose = names.map((name) => `"${String(name)}"`).join('.');
      return `comment on ${String(kind)} ${whose} is ${duckdb.literal(String(comment), 'text')}`;
    });
}
