// Parameters of a statement for DuckDB: written into it or bound, they mean the same.
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bound, writtenOut } from '#warehouse/engines/duckdb-parameters.ts';
import type { Row, Value } from '#warehouse/engine.ts';

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;
let connection: Connection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create()).connect();
});
afterAll(() => connection.closeSync());

const answerOf = async (statement: ReturnType<typeof bound>): Promise<unknown> =>
  (await connection.runAndReadAll(...statement)).getRowObjectsJson();

const values: fc.Arbitrary<Value> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
  fc.constantFrom(
    "x' or 1=1",
    "'",
    "''",
    String.raw`\'`,
    '--',
    '/*',
    '$one',
    'a@b.test',
    'Zoë 2',
    ' ',
    '',
    '0x1',
    '1e9',
    'null',
  ),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
  fc.boolean(),
  fc.constant(null),
);

describe('a statement with its values written out', () => {
  test('has the answers, and the types, of the same statement with its values bound', async () => {
    const sql = [
      `select $one as one, typeof($one) as type_1, $two as two, typeof($two) as type_2, 5 -$two_more as less, -- of $one, it's $two`,
      `  'it''s $one' as text, '$two' as "of $one", 3 as "a""$two",`,
      `  $one is not distinct from $two as same, $one in ($two, $one) as among`,
    ].join('\n');
    await fc.assert(
      fc.asyncProperty(values, values, fc.integer({ min: -1e6, max: 1e6 }), async (one, two, two_more) => {
        fc.pre(typeof one === typeof two || one === null || two === null);
        const params = { one, two, two_more };
        expect(await answerOf(writtenOut(sql, params))).toEqual(await answerOf(bound(sql, params)));
      }),
    );
  });

  test('has no parameter left where all are numbers and plain texts, and need not be prepared', () => {
    expect(writtenOut('select $a, $b, $a', { a: 7, b: 'anna.k@example.com' })).toEqual([
      "select 7, cast('anna.k@example.com' as varchar), 7",
    ]);
    expect(writtenOut('select 1', {})).toEqual(['select 1']);
  });

  test('binds what could end a text, what could change its meaning beside others, and what is long', () => {
    const bindings: Row = {
      a: "x' or 1=1",
      b: -1,
      c: 0.5,
      d: null,
      e: true,
      f: 'a\nb',
      g: 'a\\',
      h: 'x'.repeat(201),
      i: 'a\0',
    };
    const sql = `select ${Object.keys(bindings)
      .map((name) => `$${name}`)
      .join(', ')}`;
    expect(writtenOut(sql, bindings)).toEqual(bound(sql, bindings));
  });

  test('leaves to the engine to refuse a parameter that is not there, and one that it has no value for', async () => {
    await expect(answerOf(writtenOut('select $a', { a: 1, b: 2 }))).rejects.toThrow();
    await expect(answerOf(writtenOut('select $a, $b', { a: 1 }))).rejects.toThrow();
    await expect(answerOf(writtenOut('select $toString', {}))).rejects.toThrow();
  });
});
