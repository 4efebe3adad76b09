// Which columns an open file has: one that was published long ago has fewer than tables.ts names.
import type { Engine } from '../engine.ts';
import { memoized } from '../memoize.ts';

/** Names of columns by schema and table, such as `facts.chats`. */
export const columnsIn = (engine: Engine): Promise<ReadonlyMap<string, ReadonlySet<string>>> =>
  memoized(engine, 'columns', async () => {
    const rows = await engine.query(
      'select table_schema, table_name, column_name\nfrom information_schema.columns\nwhere table_catalog = current_database()',
    );
    const byTable = Map.groupBy(rows, (row) => `${String(row.table_schema)}.${String(row.table_name)}`);
    return new Map([...byTable].map(([name, own]) => [name, new Set(own.map((row) => String(row.column_name)))]));
  });
