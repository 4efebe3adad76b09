// Exported files as others read them: the same rows through a reader of Parquet that is not ours, and nothing written twice.
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '#service/service.ts';
import { parseManifest, type Manifest } from '../../src/server/export/manifest.ts';
import { filledFolder, type Filled } from './filled.ts';
import { begin, copiedFolder, newFolder, until } from './program.ts';
import { rows } from './read-folder.ts';
import { partOf, testInDrill } from '../chance.ts';

let service: Service;
let command: Filled['command'];
/** Pulled, and never changed. */
let filled: string;
/** To which it was exported. */
let exported: string;
let manifest: Manifest;
beforeAll(async () => {
  const pulled = await filledFolder();
  ({ service, command } = pulled);
  filled = copiedFolder(pulled.folder);
  exported = join(newFolder(), 'files');
  expect(await command(filled, 'export', exported)).toMatchObject({ code: 0, complained: '' });
  manifest = readManifest(exported);
});
afterAll(() => service.close());

const readManifest = (folder: string): Manifest =>
  parseManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'), folder);

const filesOf = (table: string): string[] =>
  manifest.files.flatMap((file) => (file.table === table ? [join(exported, file.path)] : []));

async function rowsIn(file: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });
}

const exportJson = async (folder: string, ...words: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await command(folder, 'export', ...words, '--json')).said) as Record<string, unknown>;

test('another reader of Parquet finds the rows of the snapshot', async () => {
  for (const [table, sum] of [
    ['facts.chats', 'duration_seconds'],
    ['facts.messages', 'position'],
    ['metrics.total_chats', 'chats'],
    ['reports.total_chats', 'chats'],
  ] as const) {
    const files = filesOf(table);
    expect([table, files.length > 0]).toEqual([table, true]);
    const read = (await Promise.all(files.map(rowsIn))).flat();
    const { said } = await command(
      filled,
      'sql',
      `select count(*) as count, sum(${sum}) as sum from ${table}`,
      '--json',
    );
    const [own] = (JSON.parse(said) as { rows: { count: string; sum: string }[] }).rows;
    const added = read.reduce((all, row) => all + Number(row[sum]), 0);
    expect([table, read.length, added]).toEqual([table, Number(own?.count), Number(own?.sum)]);
  }
  const [chat] = await rowsIn(filesOf('facts.chats')[0] ?? '');
  expect(chat?.started_at).toBeInstanceOf(Date);
  expect(chat?.account).toBe('default');
});

test('the manifest has each file, its rows, bytes and checksum, and the months of its rows', async () => {
  for (const { path, rows: count, bytes, sha256, snapshot, month } of manifest.files) {
    const content = readFileSync(join(exported, path));
    const [whole] = [createHash('sha256').update(content).digest('hex')];
    expect([path, content.length, whole, snapshot]).toEqual([path, bytes, sha256, manifest.snapshot]);
    if (!path.startsWith('facts.chats/')) continue;
    const read = await rowsIn(join(exported, path));
    expect([path, read.length]).toEqual([path, count]);
    const months = new Set(read.map(({ started_at }) => (started_at as Date).toISOString().slice(0, 7)));
    expect([path, ...months]).toEqual([path, month]);
  }
  expect(statSync(exported).mode & 0o777).toBe(0o700);
  const tables = new Set(manifest.files.map(({ table }) => table.split('.')[0]));
  expect([...tables].sort()).toEqual(['account', 'facts', 'metrics', 'reports']);
});

describe('exported again', () => {
  test('nothing is written; what was lost or changed is', async () => {
    const before = manifest.files.map(({ path }) => statSync(join(exported, path)).mtimeMs);
    expect(await exportJson(filled, exported)).toMatchObject({
      written: 0,
      unchanged: manifest.files.length,
      removed: 0,
    });
    expect(manifest.files.map(({ path }) => statSync(join(exported, path)).mtimeMs)).toEqual(before);
    const [lost = '', cut = ''] = filesOf('facts.chats').concat(filesOf('facts.messages'));
    const content = readFileSync(lost);
    rmSync(lost);
    writeFileSync(cut, 'PAR1');
    expect(await exportJson(filled, exported)).toMatchObject({ written: 2, unchanged: manifest.files.length - 2 });
    expect(readFileSync(lost).equals(content)).toBe(true);
  });

  test('one that was cut off goes on, and two at once are refused', async () => {
    const to = join(newFolder(), 'files');
    const cut = begin(['export', to], {}, filled);
    await until(() => existsSync(join(to, 'lock')), 60, 'the lock');
    cut.child.kill('SIGSTOP');
    const second = await command(filled, 'export', to);
    expect([second.code, second.complained]).toEqual([1, expect.stringMatching(/is in use by process \d+ of /)]);
    cut.child.kill('SIGKILL');
    await cut.ended;
    const { written } = await exportJson(filled, to);
    expect(written).toBe(manifest.files.length);
    const sums = (of: Manifest) => of.files.map(({ path, rows, fingerprint }) => [path, rows, fingerprint]);
    expect(sums(readManifest(to))).toEqual(sums(manifest));
    expect(readdirSync(to).filter((name) => /new|lock/.test(name))).toEqual([]);
  });

  testInDrill('after an erasure only files that held the person are written', async () => {
    const folder = copiedFolder(filled);
    const to = join(newFolder(), 'files');
    await exportJson(folder, to);
    const [{ visitor_id, visitor_name } = {}] = await rows(
      folder,
      "select visitor_id, visitor_name from facts.chats where visitor_name <> '' order by started_at desc, chat_id limit 1",
    );
    expect((await command(folder, 'erase', '--visitor', String(visitor_id))).code).toBe(0);
    const { written, unchanged } = await exportJson(folder, to);
    expect(written).toBeGreaterThan(0);
    expect(unchanged).toBeGreaterThan(Number(written));
    const left = readManifest(to).files.filter(({ table }) => table === 'facts.chats');
    const read = (await Promise.all(left.map(({ path }) => rowsIn(join(to, path))))).flat();
    expect(read.filter((row) => row.visitor_id === visitor_id)).toEqual([]);
    expect(read.length).toBeGreaterThan(100);
    expect(String(visitor_name)).not.toBe('');
  });

  test('with other tables, those that are not chosen go', async () => {
    const to = join(newFolder(), 'files');
    await exportJson(filled, to, '--tables', 'facts.chats,metrics.total_chats');
    expect(readdirSync(to).sort()).toEqual(['facts.chats', 'manifest.json', 'metrics.total_chats']);
    writeFileSync(join(to, 'facts.chats', 'notes.txt'), 'mine');
    expect(await exportJson(filled, to, '--tables', 'metrics.total_chats')).toMatchObject({ written: 0 });
    expect(readManifest(to).files.every(({ table }) => table === 'metrics.total_chats')).toBe(true);
    expect(existsSync(join(to, 'facts.chats', 'notes.txt'))).toBe(true);
  });
});

describe('refused, and nothing is lost', () => {
  test.each(
    partOf<[string, (folder: string) => string[], number, RegExp]>(
      [
        [
          'a folder that holds something else',
          (to) => (writeFileSync(join(to, 'mine.txt'), 'x'), [to]),
          2,
          /holds something else/,
        ],
        [
          'a manifest of something else',
          (to) => (writeFileSync(join(to, 'manifest.json'), '{}'), [to]),
          2,
          /no manifest of an export/,
        ],
        [
          'a table that is not there',
          (to) => [to, '--tables', 'facts.chat'],
          2,
          /there is no table facts\.chat; choose from .*facts\.chats/,
        ],
        ['the data folder itself', () => [join(filled, 'data')], 2, /lie one in the other/],
        ['an address', () => ['https://files.example.com/lake'], 2, /is an address: files go to a folder.*or to s3:/],
        ['a bucket that cannot be', () => ['s3://Lake/chats'], 2, /names no place in a bucket: write s3:/],
        ['a place outside of the prefix', () => ['s3://lake/chats/../other'], 2, /names no place in a bucket/],
        [
          'a file instead of a folder',
          (to) => (writeFileSync(join(to, 'file'), ''), [join(to, 'file')]),
          1,
          /cannot be written/,
        ],
      ],
      2,
    ),
  )('%s', async (_, words, code, says) => {
    const to = newFolder();
    const { code: ended, complained, said } = await command(filled, 'export', ...words(to));
    expect([ended, said, complained]).toEqual([code, '', expect.stringMatching(says)]);
  });

  test('a manifest that names files elsewhere removes none of them', async () => {
    const place = newFolder();
    const to = join(place, 'files');
    mkdirSync(to);
    writeFileSync(join(place, 'precious'), 'x');
    const other = { ...manifest, files: [{ ...manifest.files[0], path: '../precious' }] };
    writeFileSync(join(to, 'manifest.json'), JSON.stringify(other));
    expect((await command(filled, 'export', to)).complained).toMatch(/no manifest of an export/);
    expect(existsSync(join(place, 'precious'))).toBe(true);
  });

  test('where nothing is published', async () => {
    const { code, complained } = await command(newFolder(), 'export', join(newFolder(), 'files'));
    expect([code, complained]).toEqual([2, expect.stringMatching(/nothing is published yet/)]);
  });
});
