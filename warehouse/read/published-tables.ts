// The tables and columns of a published file with their comments, as the file itself tells them, where columns come from, and since when
// they are there.
import type { Queryable } from '../engine.ts';
import { originOf, type Origin } from '../tables/origins.ts';
import { sinceOf, type Since } from '../tables/versions.ts';

interface PublishedTable {
  /** With its schema: `facts.chats`. */
  name: string;
  comment: string;
  columns: PublishedColumn[];
}

interface PublishedColumn {
  name: string;
  type: string;
  comment: string;
  source: Origin | null;
  /** `reached_at`: when the file came to that version, or began with a later one; earlier snapshots may lack the column. */
  since: (Since & { reached_at: string }) | null;
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
  const versions = await engine.query(
    `select version, ${engine.dialect.second('migrated_at')} as at from ledger.versions order by migrated_at, version`,
  );
  const inFile = (since: Since | null): PublishedColumn['since'] => {
    const reached = versions.find(({ version }) => since && Number(version) >= since.version);
    return since && reached ? { ...since, reached_at: new Date(Number(reached.at) * 1000).toISOString() } : null;
  };
  const tables = new Map<string, PublishedTable>();
  for (const { name, about, column_name, data_type, comment } of rows) {
    const table = tables.get(String(name)) ?? { name: String(name), comment: String(about), columns: [] };
    tables.set(table.name, table);
    const column = String(column_name);
    table.columns.push({
      ...{ name: column, type: String(data_type), comment: String(comment) },
      source: originOf(table.name, column),
      since: inFile(sinceOf(table.name, column)),
    });
  }
  return [...tables.values()];
}
