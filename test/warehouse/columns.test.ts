// Rows on their way into the warehouse as columns: every value arrives as it was, and one odd text harms no other row.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnBatch, columnsOf } from '#warehouse/columns.ts';
import type { Value } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf, type Column, type ColumnType, type Table } from '#warehouse/tables/tables.ts';
import { tries } from '../chance.ts';

const table = tableOf('ledger', 'quarantine');
const rowOf = (record_id: string, body: string) => ({
  ...{ account: 'a', source: 's', record_id, reason: 'r', body, seen_at: 1_790_000_000.25, pull_id: 'p' },
});

test('any text arrives as it was; half of a surrogate pair becomes a replacement character', async () => {
  const engine = await openWarehouse(':memory:');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (texts, isColumns) => {
        const odd = [...texts, 'a\ud83d', '\udc00b', 'nul\u0000', '\\ud83d', '"', '\n', '\u2028', '😀'];
        const rows = odd.map((text, index) => rowOf(String(index).padStart(4, '0'), text));
        await engine.exec('delete from ledger.quarantine');
        await engine.load(table, isColumns ? columnsOf(table, rows) : rows);
        const found = await engine.query('select body, seen_at from ledger.quarantine order by record_id');
        expect(found.map(({ body }) => body)).toEqual(odd.map((text) => text.toWellFormed()));
        expect(found[0]?.seen_at).toBe('2026-09-21T14:13:20.250Z');
      },
    ),
    { numRuns: 30 },
  );
  await engine.close();
});

/** A value of each type as it is written, and as it is read back. */
const values: Record<ColumnType, fc.Arbitrary<{ written: Value; read: Value }>> = {
  text: fc.string({ unit: 'binary' }).map((written) => ({ written, read: written.toWellFormed() })),
  int: same(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  bigint: same(fc.maxSafeInteger()),
  double: same(fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)),
  decimal: fc
    .integer({ min: -1e9, max: 1e9 })
    .map((number) => ({ written: (number / 100).toFixed(2), read: number / 100 })),
  bool: same(fc.boolean()),
  date: same(
    fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
  ),
  instant: fc
    .integer({ min: 0, max: 4e12 })
    .map((moment) => ({ written: moment / 1000, read: new Date(moment).toISOString() })),
};

function same<T extends Value>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<{ written: Value; read: Value }> {
  return arbitrary.map((value) => ({ written: value, read: value }));
}

const columnOf = ([name, nullable]: [string, boolean]): [string, Column][] =>
  Object.keys(values).map((type) => [`${name}_${type}`, { type: type as ColumnType, comment: '', nullable }]);
const every: Table = {
  ...{ schema: 'ledger', name: 'every_type', comment: '', key: ['position'], order: ['position'] },
  columns: {
    position: { type: 'int', comment: '' },
    ...Object.fromEntries(
      (
        [
          ['own', false],
          ['maybe', true],
        ] as [string, boolean][]
      ).flatMap(columnOf),
    ),
  },
};
const typed = Object.entries(every.columns).filter(([name]) => name !== 'position');
const cell = ([, { type, nullable }]: [string, Column]) =>
  nullable ? fc.option(values[type], { nil: { written: null, read: null } }) : values[type];

test('values of every type arrive as they were, whether all rows have the same one, some have none, or there are many', async () => {
  const engine = await openWarehouse(':memory:');
  const declared = Object.entries(every.columns).map(
    ([name, { type, nullable }]) => `"${name}" ${engine.dialect.type(type, nullable ?? false)}`,
  );
  await engine.exec(`create table ledger.every_type (${declared.join(', ')})`);
  const rowsOf = (length: number) => fc.array(fc.tuple(...typed.map(cell)), { maxLength: length });
  await fc.assert(
    fc.asyncProperty(
      rowsOf(2),
      rowsOf(6),
      fc.constantFrom(1, 9, 2500),
      fc.boolean(),
      async (same, others, times, isColumns) => {
        const cells = [...Array.from({ length: times }, () => same).flat(), ...others];
        const rows = cells.map((row, position) => ({
          ...Object.fromEntries(typed.map(([name], place) => [name, row[place]?.written ?? null])),
          position,
        }));
        await engine.exec('delete from ledger.every_type');
        await engine.load(every, isColumns ? columnsOf(every, rows) : rows);
        const names = typed.map(([name]) => `"${name}"`).join(', ');
        const found = await engine.query(`select ${names} from ledger.every_type order by position`);
        expect(found.map((row) => Object.values(row))).toEqual(cells.map((row) => row.map(({ read }) => read)));
      },
    ),
    { numRuns: tries(20, 40) },
  );
  await engine.close();
});

test('columns with long texts keep every row, and are empty when they are cleared', async () => {
  const engine = await openWarehouse(':memory:');
  const columns = new ColumnBatch(table);
  const bodies = ['x', 'y'.repeat(3_000_000), 'ä'.repeat(10), 'z'.repeat(500_000)];
  for (const [index, body] of bodies.entries()) columns.add(rowOf(String(index), body));
  await engine.load(table, columns);
  const found = await engine.query('select body from ledger.quarantine order by record_id');
  expect(found.map(({ body }) => body === bodies[found.findIndex((row) => row.body === body)])).toEqual(
    bodies.map(() => true),
  );
  expect(found.map(({ body }) => String(body).length)).toEqual(bodies.map(({ length }) => length));
  columns.clear();
  await engine.load(table, columns);
  expect((await engine.query('select count(*) as n from ledger.quarantine'))[0]?.n).toBe(4);
  await engine.close();
});

test('a value that its column cannot hold stops the load and names the value', async () => {
  const engine = await openWarehouse(':memory:');
  const goals = tableOf('facts', 'chat_goals');
  const columns = new ColumnBatch(goals);
  const row = { account: 'a', chat_id: 'c', started_at: 1, started_quarter: 1, is_sale_tracker: false, reached_at: 1 };
  columns.add({ ...row, position: 0, goal_id: 1, reached_quarter: 1 });
  expect(() => columns.add({ ...row, position: 1, goal_id: 1.5, reached_quarter: 1 })).toThrow(
    '1.5 is no whole number',
  );
  await expect(engine.load(goals, [{ ...row, goal: 1 }])).rejects.toThrow('has no column goal');
  await engine.close();
});

test('marks delete exactly the rows that agree with them in every key', async () => {
  const engine = await openWarehouse(':memory:');
  const periods = tableOf('reports', 'total_chats');
  const row = (day: string, split_value: string, chats: number) => ({
    ...{ account: 'a', timezone: 'UTC', grain: 'day', split: 'group', split_value, period: day, day, chats },
    ...{ pulled_at: 1_790_000_000, pull_id: 'p' },
  });
  await engine.load(periods, [
    row('2026-05-01', '1', 1),
    row('2026-05-02', '1', 2),
    row('2026-05-02', '2', 3),
    row('2026-05-03', '1', 4),
  ]);
  const marks = [row('2026-05-02', '1', 0), row('2026-05-03', '1', 0), row('2026-05-03', '1', 0)];
  await engine.load(periods, [row('2026-05-02', '1', 20)], { replacing: ['account', 'split_value', 'day'], marks });
  const left = await engine.query('select day, split_value, chats from reports.total_chats order by all');
  expect(left.map(({ day, split_value, chats }) => [day, split_value, chats])).toEqual([
    ['2026-05-01', '1', 1],
    ['2026-05-02', '1', 20],
    ['2026-05-02', '2', 3],
  ]);
  await engine.close();
});

test('a query sees what was committed while a transaction is under way, and waits for nothing', async () => {
  const engine = await openWarehouse(':memory:');
  const counted = async (): Promise<unknown> =>
    (await engine.query('select count(*) as n from ledger.quarantine'))[0]?.n;
  let during: unknown;
  let inside: unknown;
  let outside: Promise<unknown> | undefined;
  const begin = Promise.withResolvers<void>();
  const asking = begin.promise.then(() => (outside = counted()));
  await engine.transaction(async () => {
    await engine.load(table, [rowOf('1', 'x')]);
    begin.resolve();
    await asking;
    during = await outside;
    inside = await counted();
  });
  expect([during, inside, await counted()]).toEqual([0, 1, 1]);
  await engine.close();
});

test('tables that are loaded one right after the other take nothing of each other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'columns-'));
  const engine = await openWarehouse(join(folder, 'w.duckdb'));
  // Two files of the same size at the same place within the same second: only the name of a column differs.
  const named = (name: string): Table => ({
    ...{ schema: 'ledger', name: `of_${name}`, comment: '', key: ['place'], order: ['place'] },
    columns: { place: { type: 'int', comment: '' }, [name]: { type: 'text', comment: '' } },
  });
  const tables = [named('one'), named('two')];
  for (const { name, columns } of tables)
    await engine.exec(`create table ledger.${name} (place int, ${Object.keys(columns)[1] ?? ''} text)`);
  for (let place = 0; place < 60; place += 1)
    for (const table of tables) {
      const [, column = ''] = Object.keys(table.columns);
      await engine.load(table, [{ place, [column]: `${column} ${place}` }]);
    }
  for (const { name, columns } of tables) {
    const column = Object.keys(columns)[1] ?? '';
    const rows = await engine.query(`select place, ${column} as text from ledger.${name} order by place`);
    expect(rows).toEqual(Array.from({ length: 60 }, (_, place) => ({ place, text: `${column} ${place}` })));
  }
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
