// Since which version a column is there: what the migrations really do to a file of version 1, and what was released.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { open } from '#warehouse/engines/default.ts';
import { publishedTables } from '#warehouse/read/published-tables.ts';
import { migrations } from '#warehouse/store/migrations.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { sinceOf, tableVersions } from '#warehouse/tables/versions.ts';

const file = join(mkdtempSync(join(tmpdir(), 'chatledger-versions-')), 'w.duckdb');
/** The version after which each column of the file was there first. */
const first = new Map<string, number>();
let engine: Store;

async function look(version: number): Promise<void> {
  for (const [table, columns] of await engine.columns())
    for (const column of columns.keys()) if (!first.has(`${table}.${column}`)) first.set(`${table}.${column}`, version);
}

beforeAll(async () => {
  engine = await open(file);
  await engine.exec(readFileSync(join(import.meta.dirname, 'version-1.sql'), 'utf8'));
  await look(1);
  for (const { version, statements } of migrations) {
    for (const statement of statements(engine.dialect)) await engine.exec(statement);
    await look(version);
  }
});
afterAll(() => engine.close());

test('each column is said to be there since the version whose step made it', () => {
  const columns = tables.flatMap(({ schema, name, columns: own }) =>
    Object.keys(own).map((column) => [`${schema}.${name}`, column] as const),
  );
  const said = columns.map(([table, column]) => [`${table}.${column}`, sinceOf(table, column)?.version]);
  expect(said).toEqual(said.map(([name]) => [name, first.get(String(name))]));
  expect(new Set(said.map(([, version]) => version))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
});

test('what is none of these tables has no version', () => {
  expect([sinceOf('metrics.ratings', 'day'), sinceOf('facts.chats', 'nothing')]).toEqual([null, null]);
  expect(sinceOf('facts.chats', 'constructor')).toBeNull();
});

test('there is a version for the first tables and for each step', () => {
  expect(tableVersions.map(({ version }) => version)).toEqual([1, ...migrations.map(({ version }) => version)]);
});

test('a version belongs to a release of the changelog or to the one to come, and what was released is promised', () => {
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, of]) => of);
  const { version: coming } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const promised = JSON.parse(readFileSync('docs/promised.json', 'utf8')) as {
    tables: Record<string, string[] | undefined>;
  };
  for (const { version, release } of tableVersions)
    expect([version, [...released, coming].includes(release)]).toEqual([version, true]);
  const unkept = tables.flatMap(({ schema, name, columns }) =>
    Object.entries(columns).flatMap(([column, { type }]) => {
      const { release } = sinceOf(`${schema}.${name}`, column) ?? {};
      const isKept = promised.tables[`${schema}.${name}`]?.includes(`${column} ${type}`);
      return released.includes(release) && !isKept ? [`${name}.${column}`] : [];
    }),
  );
  expect(unkept).toEqual([]);
});

test('a file says when it reached the version of a column, a later one where it began with that', async () => {
  const whole = join(mkdtempSync(join(tmpdir(), 'chatledger-versions-')), 'w.duckdb');
  const warehouse = await openWarehouse(whole, { now: Date.parse('2026-11-01T08:00:00Z') / 1000 });
  await warehouse.exec('delete from ledger.versions');
  await warehouse.exec(
    `insert into ledger.versions values (2, timestamptz '2026-08-01 08:00:00+00'), (7, timestamptz '2026-11-01 08:00:00+00')`,
  );
  await warehouse.exec('create view metrics.five as select 5 as five');
  const told = new Map(
    (await publishedTables(warehouse)).flatMap(({ name, columns }) =>
      columns.map(({ name: column, since }) => [`${name}.${column}`, since]),
    ),
  );
  await warehouse.close();
  const begun = '2026-08-01T08:00:00.000Z';
  expect(told.get('facts.chats.rate')).toEqual({ version: 1, release: '0.1.0', reached_at: begun });
  expect(told.get('ledger.pulls.faults')).toEqual({ version: 2, release: '0.1.0', reached_at: begun });
  expect(told.get('facts.chat_turns.agent')).toEqual({
    ...{ version: 5, release: '0.1.0' },
    reached_at: '2026-11-01T08:00:00.000Z',
  });
  expect(told.get('metrics.five.five')).toBeNull();
});
