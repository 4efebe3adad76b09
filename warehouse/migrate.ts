// Brings a warehouse file to the version of tables.ts: forward only, one transaction a step.
import type { Dialect } from './dialect.ts';
import type { Engine } from './engine.ts';
import { NewerWarehouse } from './errors.ts';
import { tables, tableOf, type Table } from './tables.ts';

interface Migration {
  version: number;
  statements: (dialect: Dialect) => readonly string[];
}

/** Steps after the first version; a fresh file is created at the newest version from tables.ts and takes none of them. */
const migrations: readonly Migration[] = [];

/** The version that this program writes. */
export const warehouseVersion = migrations.at(-1)?.version ?? 1;

const schemas = ['facts', 'reports', 'account', 'ledger', 'metrics'] as const;

/** `create table` of one table, without keys: hot tables have no unique index. */
export function createTable(table: Table, dialect: Dialect): string {
  const columns = Object.entries(table.columns).map(
    ([name, column]) => `"${name}" ${dialect.type(column.type, column.nullable ?? false)}`,
  );
  return `create table if not exists ${table.schema}.${table.name} (${columns.join(', ')})`;
}

/** The comments of tables and columns, so that `describe` explains itself. */
export function comments(dialect: Dialect): string[] {
  const words = (comment: string): string => dialect.literal(comment, 'text');
  return tables.flatMap((table) => [
    `comment on table ${table.schema}.${table.name} is ${words(table.comment)}`,
    ...Object.entries(table.columns).map(
      ([name, column]) => `comment on column ${table.schema}.${table.name}."${name}" is ${words(column.comment)}`,
    ),
  ]);
}

/** Schema and table of a file that holds just these tables, such as the raw archive. */
export async function createTables(engine: Engine, wanted: readonly Table[]): Promise<void> {
  for (const table of wanted) {
    await engine.exec(`create schema if not exists ${table.schema}`);
    await engine.exec(createTable(table, engine.dialect));
  }
}

/** The version of a file; 0 for an empty one. */
export async function versionOf(engine: Engine): Promise<number> {
  const known = await engine.query(
    "select count(*) as tables from information_schema.tables where table_schema = 'ledger' and table_name = 'versions'",
  );
  if (known[0]?.tables === 0) return 0;
  const found = await engine.query('select max(version) as version from ledger.versions');
  return Number(found[0]?.version ?? 0);
}

/** Refuses a file of a newer version (NewerWarehouse), brings an older one forward. `now` in Unix seconds. */
export async function migrate(engine: Engine, now: number): Promise<void> {
  const found = await versionOf(engine);
  if (found > warehouseVersion) throw new NewerWarehouse(engine.file, found, warehouseVersion);
  if (found === warehouseVersion) return;
  const reach = (version: number): Promise<void> =>
    engine.load(tableOf('ledger', 'versions'), [{ version, migrated_at: now }]);
  if (found === 0) {
    await engine.transaction(async () => {
      for (const name of schemas) await engine.exec(`create schema if not exists ${name}`);
      for (const table of tables) await engine.exec(createTable(table, engine.dialect));
      await reach(warehouseVersion);
    });
  }
  for (const { version, statements } of migrations.filter((step) => found > 0 && step.version > found)) {
    await engine.transaction(async () => {
      for (const statement of statements(engine.dialect)) await engine.exec(statement);
      await reach(version);
    });
  }
  // Nobody describes a warehouse that is gone with the process; published copies take the comments along.
  if (engine.file !== ':memory:')
    await engine.transaction(async () => {
      for (const statement of comments(engine.dialect)) await engine.exec(statement);
    });
  await engine.checkpoint();
}
