// DuckDB as the engine, and what its files may be.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DamagedWarehouse, NewerWarehouse } from '#warehouse/errors.ts';
import { open, type OpenOptions } from '#warehouse/engines/default.ts';
import { openRawArchive, openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tableOf } from '#warehouse/tables/tables.ts';
import { engineCase } from '../cases/engine.case.ts';
import { storeCase } from '../cases/store.case.ts';

const folder = mkdtempSync(join(tmpdir(), 'warehouse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

storeCase('duckdb', () => openWarehouse(':memory:'));
engineCase('duckdb', async (fill = () => Promise.resolve()) => {
  const store = await openWarehouse(':memory:');
  await fill(store);
  const { file } = await publish(store, mkdtempSync(join(folder, 'case-')), 1_800_000_000_000);
  await store.close();
  const engine = await openWarehouse(file, { readOnly: true });
  return { engine, close: () => engine.close() };
});

it('a question that needs more memory than there is gets it, also while a transaction waits for its answer', async () => {
  const engine = await openWarehouse(join(folder, 'room.duckdb'), { memory: '64MB', threads: 1 });
  const longList = 'select length(list(hash(range))) as n from range(6000000)';
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = promise.then(() => engine.query(longList));
  await engine.transaction(async () => {
    resolve();
    expect(await answer).toEqual([{ n: 6_000_000 }]);
  });
  expect(await Array.fromAsync(engine.queryInPieces(longList))).toEqual([[{ n: 6_000_000 }]]);
  await engine.close();
});

it('statements of one transaction wait for each other: none ends the rows of another', async () => {
  const engine = await openRawArchive(join(folder, 'texts.duckdb'));
  const numbers = 'select range as n from range(100000)';
  await engine.transaction(async () => {
    const asked = await Promise.all([
      engine.query(numbers),
      engine.query(numbers),
      engine.exec('create table raw.one as select 1 as n'),
      engine.query(numbers),
    ]);
    expect(asked.map((rows) => rows?.length)).toEqual([100_000, 100_000, undefined, 100_000]);
  });
  expect(await engine.query('select n from raw.one')).toEqual([{ n: 1 }]);
  await engine.close();
});

it('loads of one transaction wait for each other: they write the same file of rows', async () => {
  const engine = await openWarehouse(join(folder, 'loads.duckdb'));
  const rowsOf = (group: number) =>
    Array.from({ length: 2000 }, (_, at) => ({ account: 'a', group_id: group, login: `a${at}@x.test`, pulled_at: 0 }));
  await engine.transaction(async () => {
    await Promise.all([1, 2, 3].map((group) => engine.load(tableOf('account', 'group_agents'), rowsOf(group))));
  });
  expect(
    await engine.query('select group_id, count(*) as n from account.group_agents group by all order by all'),
  ).toEqual([1, 2, 3].map((group) => ({ group_id: group, n: 2000 })));
  await engine.close();
});

it('what does not fit into memory is spilled, and a question that needs more of the disk is refused', async () => {
  const file = join(folder, 'spill.duckdb');
  await (await openWarehouse(file)).close();
  const distinct =
    'select count(h) as n from (select distinct repeat(md5(n::varchar), 4) as h from range(1000000) as t(n))';
  const opened = (spill: string) => openWarehouse(file, { readOnly: true, memory: '64MB', spill, threads: 1 });
  const [narrow, wide] = [await opened('10MB'), await opened('900MB')];
  await expect(narrow.query(distinct)).rejects.toThrow('failed to offload');
  expect(await wide.query(distinct)).toEqual([{ n: 1_000_000 }]);
  await Promise.all([narrow.close(), wide.close()]);
});

it('a small file is read by one thread, a large one by all that there are, and a number that is given holds', async () => {
  const threads = "select current_setting('threads') as threads";
  const ofRows = async (rows: number, options: OpenOptions = {}) => {
    const file = join(folder, `rows-${rows}.duckdb`);
    const writer = await openWarehouse(file);
    await writer.exec(`create or replace table facts.many as select range as one from range(${rows})`);
    await writer.close();
    const engine = await openWarehouse(file, { readOnly: true, ...options });
    const [row] = await engine.query(threads);
    await engine.close();
    return row;
  };
  const writer = await open(':memory:');
  const [all] = await writer.query(threads);
  await writer.close();
  expect(await ofRows(3_900_000)).toEqual({ threads: 1 });
  expect(await ofRows(4_000_000)).toEqual(all);
  expect(await ofRows(3_900_000, { threads: 2 })).toEqual({ threads: 2 });
});

describe('files', () => {
  it('a file of a newer version is refused and left alone', async () => {
    const file = join(folder, 'newer.duckdb');
    const engine = await openWarehouse(file);
    await engine.load(tableOf('ledger', 'versions'), [{ version: 999, migrated_at: 0 }]);
    await engine.close();
    await expect(openWarehouse(file)).rejects.toThrow(NewerWarehouse);
    await expect(openWarehouse(file, { readOnly: true })).rejects.toThrow(NewerWarehouse);
  });

  it('a missing or broken file is a damaged warehouse', async () => {
    const file = join(folder, 'broken.duckdb');
    writeFileSync(file, 'this is no warehouse at all'.repeat(1000));
    await expect(openWarehouse(file)).rejects.toThrow(DamagedWarehouse);
    await expect(openWarehouse(join(folder, 'none.duckdb'), { readOnly: true })).rejects.toThrow(DamagedWarehouse);
  });

  it('every table and column has a comment, in published copies too', async () => {
    const engine = await openWarehouse(join(folder, 'comments.duckdb'));
    const { file } = await publish(engine, folder, 1_800_000_000_000);
    await engine.close();
    const copy = await openWarehouse(file, { readOnly: true });
    const silent = await copy.query(
      'select table_name, column_name from duckdb_columns() where not internal and database_name = current_database() and comment is null',
    );
    expect(silent).toEqual([]);
    await copy.close();
  });
});
