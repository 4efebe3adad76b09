// All rows of a statement as a file over HTTP: read back by other readers, bounded, kept from who sees a part, and gone from the disk.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type Json } from '@duckdb/node-api';
import { strFromU8, unzipSync } from 'fflate';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '#api/deps.ts';
import { asRequest } from '#api/request-id.ts';
import { nobodyWaits, withSignal } from '#warehouse/cancellation.ts';
import type { SqlLimits } from '#api/contract/sql.ts';
import { createSqlConsole } from '#server/sql-console/sql-console.ts';
import { partOf } from '../chance.ts';
import { limitsWith } from '../sql-limits.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openDoors } from '../access/api.ts';
import { account, addChats } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'sql-file-'));
const files = join(folder, 'files');
let engine: Store;

beforeAll(async () => {
  const writer = await account([]);
  await addChats(writer, [
    { start: '2026-05-05T22:30:05Z', groups: [2] },
    { start: '2026-05-05T10:00:00Z', groups: [3] },
  ]);
  const { file } = await publish(writer, folder, Date.parse('2026-05-31T22:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const asked = (limits: Partial<SqlLimits> = {}, bounds = {}): Partial<ApiDeps> => ({
  ...{ files, sql: createSqlConsole(limitsWith(limits), bounds) },
  snapshot: () => ({ id: 's1', published_at: '2026-05-31T22:00:00.000Z', engine }),
});

interface Told {
  message?: string;
  parameters?: string[];
}

async function written(body: object, limits?: Partial<SqlLimits>, bounds?: { file_bytes: number }) {
  const api = promisedApi(apiDeps(engine, asked(limits, bounds)));
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await api.request('http://127.0.0.1:3000/api/sql/file', sent);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const error = answer.status === 200 ? {} : (JSON.parse(strFromU8(bytes)) as { error: Told }).error;
  return { answer, bytes, error };
}
const leftOver = (): string[] => (existsSync(files) ? readdirSync(files) : []);

/** What another engine reads out of the file. */
async function readBack(bytes: Uint8Array, reading: (path: string) => string): Promise<Json[][]> {
  const path = join(folder, 'read-back');
  writeFileSync(path, bytes);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(reading(path))).getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

const formula = '=HYPERLINK("http://evil.test")';
const wide = {
  statement: `select chat_id, started_at, $word as word, 1.50::decimal(9, 2) as amount, 9007199254740993::bigint as "large ""n""",
  null::integer as none, [1, 2] as list, date '2026-05-05' as day, true as yes, 7 as day
from facts.chats where started_at >= $from order by started_at`,
  parameters: { from: '2026-05-05', word: formula },
};
const names = ['chat_id', 'started_at', 'word', 'amount', 'large "n"', 'none', 'list', 'day', 'yes', 'day_2'];

describe('each kind of file', () => {
  it('CSV is read by DuckDB, and holds nothing that a spreadsheet would run', async () => {
    const { answer, bytes } = await written({ ...wide, format: 'csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="result-s1.csv"');
    expect(await readBack(bytes, (path) => `from read_csv('${path}', header = false, all_varchar = true)`)).toEqual([
      names,
      ...[
        ['C000001', '2026-05-05 10:00:00+00'],
        ['C000000', '2026-05-05 22:30:05+00'],
      ].map((chat) => [
        ...[...chat, `'${formula}`, '1.5', '9007199254740993', null, '[1,2]', '2026-05-05', 'true', '7'],
      ]),
    ]);
  });

  it('JSON is read by DuckDB, with every value as it is', async () => {
    const { answer, bytes } = await written({ ...wide, format: 'json' });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const [first] = JSON.parse(strFromU8(bytes)) as Record<string, unknown>[];
    expect(Object.keys(first ?? {})).toEqual(names);
    expect(first).toMatchObject({ word: formula, amount: '1.50', list: [1, 2], none: null, yes: true, day_2: 7 });
    expect(
      await readBack(bytes, (path) => `select chat_id, word, "large ""n""" from read_json('${path}') order by chat_id`),
    ).toEqual([
      ['C000000', formula, '9007199254740993'],
      ['C000001', formula, '9007199254740993'],
    ]);
  });

  it('Parquet has the types of the statement, for DuckDB and for a reader that is not DuckDB', async () => {
    const { answer, bytes } = await written({ ...wide, format: 'parquet' });
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const types = await readBack(
      bytes,
      (path) => `select column_name, column_type from (describe from read_parquet('${path}'))`,
    );
    expect(types.map(([name]) => name)).toEqual(names);
    expect(types.map(([, type]) => type)).toEqual([
      ...['VARCHAR', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR', 'DECIMAL(9,2)', 'BIGINT', 'INTEGER', 'INTEGER[]', 'DATE'],
      ...['BOOLEAN', 'INTEGER'],
    ]);
    const file = bytes.buffer;
    expect(Number(parquetMetadata(file).num_rows)).toBe(2);
    expect(await parquetReadObjects({ file, compressors })).toMatchObject([
      { chat_id: 'C000001', started_at: new Date('2026-05-05T10:00:00Z'), word: formula, amount: 1.5, none: null },
      { chat_id: 'C000000', started_at: new Date('2026-05-05T22:30:05Z'), 'large "n"': 9007199254740993n, day_2: 7 },
    ]);
  });

  it('a workbook has numbers, dates and texts, and no formula', async () => {
    const { answer, bytes } = await written({ ...wide, format: 'xlsx' });
    expect(answer.headers.get('content-type')).toContain('spreadsheetml');
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet).not.toContain('<f>');
    const cell = (at: string): string => new RegExp(`<c r="${at}"[^>]*>(.*?)</c>`, 's').exec(sheet)?.[1] ?? '';
    expect(cell('E1')).toContain('large &quot;n&quot;');
    expect(sheet).toMatch(/<c r="C2" s="\d" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK\(&quot;http:/);
    expect(['B2', 'D2', 'H2', 'I2', 'J2'].map(cell)).toEqual(
      [46147 + 10 / 24, 1.5, 46147, 1, 7].map((number) => `<v>${number}</v>`),
    );
    // Excel has fifteen digits: a number that it would change is a text.
    expect(cell('E2')).toContain('9007199254740993</t>');
  });

  it('without rows has its columns', async () => {
    const none = { statement: 'select 1 as n where false' };
    expect(strFromU8((await written({ ...none, format: 'csv' })).bytes)).toBe('n\r\n');
    expect(strFromU8((await written({ ...none, format: 'json' })).bytes)).toBe('[]\n');
    const parquet = (await written({ ...none, format: 'parquet' })).bytes;
    expect(
      await readBack(parquet, (path) => `select column_name from (describe from read_parquet('${path}'))`),
    ).toEqual([['n']]);
  });
});

describe('what is too much is refused as a whole, and leaves nothing on the disk', () => {
  // Long enough for Parquet to write while it is looked at, and for a workbook to fill its pieces.
  const long = { statement: 'select md5(n::varchar) as a, md5((n + 1)::varchar) as b from range(20000) as t(n)' };
  it.each(partOf(['csv', 'parquet', 'json', 'xlsx'], 2))(
    '%s of too many bytes, or of too many rows',
    async (format) => {
      const large = await written({ ...long, format }, {}, { file_bytes: 100_000 });
      expect([large.answer.status, large.error.message]).toEqual([
        400,
        'the file is larger than 0.1 MB, the most that a file of a statement may have: ask for fewer rows or columns, or export whole tables',
      ]);
      const many = await written({ ...long, format }, { file_rows: 19_999 });
      expect([many.answer.status, many.error.message]).toEqual([
        400,
        'it has more rows than the limit of 19,999 in a file for your role (admin): ask for fewer rows, or export whole tables',
      ]);
      expect(leftOver()).toEqual([]);
    },
  );

  it('a statement without an end, and one that nobody waits for any more', async () => {
    const endless = 'select count(*) from range(100000) as a, range(100000) as b, range(100000) as c';
    const late = await written({ statement: endless, format: 'parquet' }, { file_seconds: 1 });
    expect([late.answer.status, late.error.message]).toEqual([
      400,
      'it was stopped at the limit of 1 s for your role (admin): ask for less',
    ]);
    const leaving = new AbortController();
    const left = withSignal(leaving.signal, () => written({ statement: endless, format: 'csv' }));
    setTimeout(() => leaving.abort(nobodyWaits), 500);
    await left.catch(() => undefined);
    await expect.poll(leftOver, { timeout: 20_000 }).toEqual([]);
  });
});

it('what is wrong is said as when it is run', async () => {
  const without = await written({ statement: 'select $from', format: 'csv' });
  expect(without.error).toMatchObject({ message: 'the parameter $from must have a value', parameters: ['from'] });
  const wrong = await written({ statement: 'select 1,\n  nothing from facts.chats', format: 'xlsx' });
  expect(wrong.error).toMatchObject({ place: { line: 2, column: 3 } });
  const copy = await written({ statement: `copy facts.chats to '${join(folder, 'out')}'`, format: 'parquet' });
  expect(copy.error.message).toContain('disabled by configuration');
  expect((await written({ statement: 'select 1', format: 'pdf' })).error.message).toContain('format');
  expect(existsSync(join(folder, 'out'))).toBe(false);
});

it('what is wrong names its request, by which the log is searched, run and as a file', async () => {
  const asRun = async () => {
    const api = promisedApi(apiDeps(engine, asked()));
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ statement: 'selec 1' }) };
    return (await api.request('http://127.0.0.1:3000/api/sql', sent)).json();
  };
  const error = { type: 'bad_request', request_id: 'proxy-1234' };
  expect(await asRequest('proxy-1234', asRun)).toMatchObject({ error });
  const file = await asRequest('proxy-1234', () => written({ statement: 'selec 1', format: 'csv' }));
  expect(file.error).toMatchObject(error);
  expect((await written({ statement: 'selec 1', format: 'csv' })).error).not.toHaveProperty('request_id');
});

it('who sees a part of the chats, or no names, gets no file, and the audit has who took which', async () => {
  const doors = openDoors(engine, asked());
  const { cookie: admin } = await doors.userWith('admin');
  const body = { statement: "select * from facts.chats where country = 'Ann Lee'", format: 'csv' };
  const part = await doors.userWith('analyst', { rows: { groups: [2] } });
  const viewer = await doors.userWith('viewer');
  for (const { cookie } of [part, viewer]) {
    const refused = await doors.ask('/sql/file', { cookie }, { method: 'POST', body });
    expect(refused.status).toBe(403);
    expect(await refused.text()).not.toContain('C00000');
  }
  expect((await doors.ask('/sql/file', { cookie: admin }, { method: 'POST', body })).status).toBe(200);
  const [row] = doors.auth.audit.list({ action: 'sql.exported' }, 10);
  expect(row).toMatchObject({ about: "csv: select * from facts.chats where country = '…'", is_refused: false });
});
