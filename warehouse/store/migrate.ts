// Migrates a warehouse file to the version of tables.ts: forward only, on a copy that replaces the file when complete.
import type { Dialect } from '../dialect.ts';
import type { Store } from '../engine.ts';
import { hasTable } from './has-table.ts';
import { newestVersion, type Migration } from './migrations.ts';
import { forgetCounts } from './touched.ts';
import { tables, tableOf, type Column, type Table } from '../tables/tables.ts';

const schemas = ['facts', 'reports', 'account', 'ledger', 'metrics'] as const;

/** `create table` of one table, without keys: hot tables have no unique index. */
export function createTable(table: Table, dialect: Dialect): string {
  const columns = Object.entries(table.columns).map(
    ([name, column]) => `"${name}" ${dialect.type(column.type, column.nullable ?? false)}`,
  );
  return `create table if not exists ${table.schema}.${table.name} (${columns.join(', ')})`;
}

/** A column's comment in the file, which also says whether it is personal. */
const commentOf = ({ comment, personal, erased }: Column): string =>
  personal || erased ? `${comment} [personal data]` : comment;

/** The comments of tables and columns, so that `describe` explains itself. */
export function comments(dialect: Dialect): string[] {
  const words = (comment: string): string => dialect.literal(comment, 'text');
  return tables.flatMap((table) => [
    `comment on table ${table.schema}.${table.name} is ${words(table.comment)}`,
    ...Object.entries(table.columns).map(
      ([name, column]) => `comment on column ${table.schema}.${table.name}."${name}" is ${words(commentOf(column))}`,
    ),
  ]);
}

/** Schema and table of a file with only these tables, such as the raw archive. */
export async function createTables(engine: Store, wanted: readonly Table[]): Promise<void> {
  for (const table of wanted) {
    await engine.exec(`create schema if not exists ${table.schema}`);
    await engine.exec(createTable(table, engine.dialect));
  }
}

/** The version of a file; 0 for an empty one. */
export async function versionOf(engine: Store): Promise<number> {
  if (!(await hasTable(engine, 'ledger', 'versions'))) return 0;
  const [found] = await engine.query('select max(version) as version from ledger.versions');
  return Number(found?.version ?? 0);
}

/** All tables of a new file, at the newest version. `now` in Unix seconds. */
export async function createWarehouse(engine: Store, steps: readonly Migration[], now: number): Promise<void> {
  await engine.transaction(async () => {
    for (const name of schemas) await engine.exec(`create schema if not exists ${name}`);
    for (const table of tables) await engine.exec(createTable(table, engine.dialect));
    await engine.load(tableOf('ledger', 'versions'), [{ version: newestVersion(steps), migrated_at: now }]);
  });
  // Comments are pointless in memory; published copies take them along.
  if (engine.file !== ':memory:') await engine.transaction(() => engine.exec(comments(engine.dialect).join(';\n')));
  await engine.checkpoint();
}

/** Writes the file that this one becomes: everything in it, brought forward from version `found`. `now` in Unix seconds. */
export async function migrateCopy(
  engine: Store,
  copy: string,
  steps: readonly Migration[],
  found: number,
  now: number,
): Promise<void> {
  const { dialect } = engine;
  const reached = dialect.literal(new Date(now * 1000).toISOString(), 'instant');
  const ahead = steps.filter(({ version }) => version > found);
  await engine.copyTo(copy, async ({ inside }) => {
    await inside(
      ahead.flatMap(({ version, statements }) => [
        ...statements(dialect),
        `insert into ledger.versions values (${version}, ${reached})`,
      ]),
    );
    // Hundreds of statements, each of which would be written to the disk by itself.
    await inside([...comments(dialect), forgetCounts], { isAtOnce: true });
  });
}
