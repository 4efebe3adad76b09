// The tables and columns of a published file with their comments, as the file itself tells them, and where columns come from.
import type { Queryable } from '../engine.ts';
import { originOf, type Origin } from '../tables/origins.ts';

interface PublishedTable {
  /** With its schema: `facts.chats`. */
  name: string;
  comment: string;
  columns: { name: string; type: string; comment: string; source: Origin | null }[];
}

/** Facts and metrics first, then reports and the rest by name; columns in their order. */
export async function publishedTables(engine: Queryable): Promise<PublishedTable[]> {
  const rows = await engine.query(
    `select c.table_schema || '.' || c.table_name as name, coalesce(t.table_comment, '') as about,
       c.column_name, c.data_type, coalesce(c.column_comment, '') as comment
     from information_schema.columns as c
     join information_schema.tables as t using (table_catalog, table_schema, table_name)
     where c.table_catalog = current_database() and c.table_schema <> 'main'
     order by case c.table_schema when 'facts' then 1 when 'metrics' then 2 when 'reports' then 3 else 4 end,
       name, c.ordinal_position`,
  );
  const tables = new Map<string, PublishedTable>();
  for (const { name, about, column_name, data_type, comment } of rows) {
    const table = tables.get(String(name)) ?? { name: String(name), comment: String(about), columns: [] };
    tables.set(table.name, table);
    const source = originOf(table.name, String(column_name));
    table.columns.push({ name: String(column_name), type: String(data_type), comment: String(comment), source });
  }
  return [...tables.values()];
}
