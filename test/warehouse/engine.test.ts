// Loading, transactions, versions and broken files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DamagedWarehouse, NewerWarehouse } from '#warehouse/errors.ts';
import { openWarehouse } from '#warehouse/open.ts';
import { publish } from '#warehouse/snapshot.ts';
import { tableOf } from '#warehouse/tables.ts';
import { addChats, insert } from './account.ts';

const folder = mkdtempSync(join(tmpdir(), 'warehouse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('loading', () => {
  it('keeps instants, dates, decimals and nulls exactly, and gives them back as plain values', async () => {
    const engine = await openWarehouse(':memory:');
    const row = {
      sales_tracker: 1,
      currency: 'EUR',
      goals: null,
      sales_count: 3,
      value: '12345678901234.5678',
      day: '2026-03-29',
    };
    await insert(engine, 'reports', 'goals', [{ ...row, pulled_at: 1774746000.25, split: "it's" }]);
    expect(
      await engine.query(
        'select day, pulled_at, goals, sales_count, split, cast(value as varchar) as value from reports.goals',
      ),
    ).toEqual([
      {
        day: '2026-03-29',
        pulled_at: '2026-03-29T01:00:00.250Z',
        goals: null,
        sales_count: 3,
        split: "it's",
        value: '12345678901234.5678',
      },
    ]);
    await engine.close();
  });

  it('replaces what the marks name, also when nothing comes in its place', async () => {
    const engine = await openWarehouse(':memory:');
    await addChats(engine, [
      { start: '2026-01-01T00:00:00Z', tags: ['old'] },
      { start: '2026-01-02T00:00:00Z', tags: ['kept'] },
    ]);
    await engine.load(tableOf('facts', 'chat_tags'), [], {
      replacing: ['account', 'chat_id'],
      marks: [{ account: 'default', chat_id: 'C000000' }],
    });
    expect(await engine.query('select tag from facts.chat_tags')).toEqual([{ tag: 'kept' }]);
    const chats = tableOf('facts', 'chats');
    const [chat] = await engine.query("select * from facts.chats where chat_id = 'C000001'");
    await engine.load(chats, [{ ...chat, rate: 'rated_good' }], { replacing: ['account', 'chat_id'] });
    expect(await engine.query('select chat_id, rate, started_at from facts.chats order by chat_id')).toEqual([
      { chat_id: 'C000000', rate: 'not_rated', started_at: '2026-01-01T00:00:00.000Z' },
      { chat_id: 'C000001', rate: 'rated_good', started_at: '2026-01-02T00:00:00.000Z' },
    ]);
    await engine.close();
  });

  it('loads more rows than fit into one chunk', async () => {
    const engine = await openWarehouse(':memory:');
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      account: 'default',
      group_id: index,
      login: `é${index}`,
      pulled_at: 0,
    }));
    await engine.load(tableOf('account', 'group_agents'), rows);
    expect(
      await engine.query(
        'select count(*) as n, sum(group_id) as total, count(distinct login) as logins from account.group_agents',
      ),
    ).toEqual([{ n: 5000, total: 12_497_500, logins: 5000 }]);
    await engine.close();
  });

  it('refuses a row with a column that the table does not have', async () => {
    const engine = await openWarehouse(':memory:');
    await expect(engine.load(tableOf('facts', 'chat_tags'), [{ colour: 'red' }])).rejects.toThrow(
      'has no column colour',
    );
    await engine.close();
  });
});

describe('transactions', () => {
  it('are all or nothing, and others wait until they are over', async () => {
    const engine = await openWarehouse(':memory:');
    const tags = (): Promise<unknown> => engine.query('select count(*) as n from facts.chat_tags');
    const failing = engine.transaction(async () => {
      await addChats(engine, [{ start: '2026-01-01T00:00:00Z', tags: ['one'] }]);
      expect(await tags()).toEqual([{ n: 1 }]);
      throw new Error('no');
    });
    const outside = tags();
    await expect(failing).rejects.toThrow('no');
    expect(await outside).toEqual([{ n: 0 }]);
    await engine.close();
  });

  it('keep nobody from reading, however many read and however long they last', async () => {
    const engine = await openWarehouse(':memory:');
    const { promise, resolve } = Promise.withResolvers<void>();
    const count = 'select count(*) as n from facts.chat_tags';
    const answers = promise.then(() => Promise.all(Array.from({ length: 5 }, () => engine.query(count))));
    await engine.transaction(async () => {
      resolve();
      expect(await answers).toEqual(Array.from({ length: 5 }, () => [{ n: 0 }]));
    });
    await engine.close();
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
