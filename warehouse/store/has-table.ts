// Whether an open file has a table.
import type { Engine } from '../engine.ts';

export async function hasTable(engine: Engine, schema: string, name: string): Promise<boolean> {
  const { literal } = engine.dialect;
  const [found] = await engine.query(
    `select count(*) as tables
     from information_schema.tables
     where table_catalog = current_database()
       and table_schema = ${literal(schema, 'text')}
       and table_name = ${literal(name, 'text')}`,
  );
  return Number(found?.tables) > 0;
}
