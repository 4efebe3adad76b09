// Rows on their way into the warehouse as lines of JSON: every text arrives as it was, and one odd text harms no other row.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lines, linesOf } from '#warehouse/lines.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf } from '#warehouse/tables/tables.ts';

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
      async (texts, isLines) => {
        const odd = [...texts, 'a\ud83d', '\udc00b', 'nul\u0000', '\\ud83d', '"', '\n', '\u2028', '😀'];
        const rows = odd.map((text, index) => rowOf(String(index).padStart(4, '0'), text));
        await engine.exec('delete from ledger.quarantine');
        await engine.load(table, isLines ? linesOf(rows) : rows);
        const found = await engine.query('select body, seen_at from ledger.quarantine order by record_id');
        expect(found.map(({ body }) => body)).toEqual(odd.map((text) => text.toWellFormed()));
        expect(found[0]?.seen_at).toBe('2026-09-21T14:13:20.250Z');
      },
    ),
    { numRuns: 30 },
  );
  await engine.close();
});

test('lines keep their order and their bytes, also when one is longer than a chunk', () => {
  const lines = new Lines();
  const rows = ['x', 'y'.repeat(3_000_000), 'ä'.repeat(10)].map((body, index) => ({ index, body }));
  for (const row of rows) lines.add(row);
  const text = Buffer.concat(lines.buffers()).toString('utf8');
  expect(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rows);
  expect([lines.count, lines.bytes, lines.longest]).toEqual([
    3,
    Buffer.byteLength(text),
    Buffer.byteLength(JSON.stringify(rows[1])) + 1,
  ]);
  lines.clear();
  expect([lines.count, lines.buffers()]).toEqual([0, []]);
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
