// Rebuilding and mending as an operator sees it: killed, refused, without a file, on a full disk, in a folder that may not be written.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '#service/service.ts';
import type { Row } from '#warehouse/engine.ts';
import { openRawArchive, openWarehouse } from '#warehouse/store/open.ts';
import { storedSnapshots, type StoredSnapshot } from '#warehouse/store/snapshot-store.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { filledFolder, only, type Filled } from './filled.ts';
import { begin, copiedFolder, newFolder, program, runToEnd, until, type Ended } from './program.ts';
import { dayBefore } from './still.ts';
import { testInDrill } from '../chance.ts';

let service: Service;
let settings: Filled['settings'];
/** What one pull has left. */
let filled: string;

beforeAll(async () => {
  ({ service, settings, folder: filled } = await filledFolder());
});
afterAll(() => service.close());

const inside = (folder: string, name: string): string => join(folder, 'data', 'warehouse', name);
const warehouseOf = (folder: string): string => inside(folder, 'chatledger.duckdb');
const rawOf = (folder: string): string => inside(folder, 'archive.duckdb');
const asideIn = (folder: string, file: string): string[] =>
  readdirSync(join(folder, 'data', 'warehouse')).filter((name) => name.startsWith(`${file}.damaged-`));

/** Facts, reports, lists and what is known of each day, without what asking cost. */
async function contentOf(folder: string): Promise<Record<string, Row[]>> {
  const engine = await openWarehouse(warehouseOf(folder), { readOnly: true });
  const content: Record<string, Row[]> = {};
  for (const { schema, name, columns } of tables.filter(
    (table) => table.schema !== 'ledger' || table.name === 'periods',
  )) {
    const kept = Object.keys(columns).filter((column) => !['attempts', 'bytes', 'milliseconds'].includes(column));
    const listed = kept.map((column) => `"${column}"`).join(', ');
    content[`${schema}.${name}`] = await engine.query(`select ${listed} from ${schema}.${name} order by all`);
  }
  await engine.close();
  return content;
}

/** Every chat, whenever it was pulled. */
const chatsOf = ({ 'facts.chats': rows = [] }: Record<string, Row[]>): unknown[] =>
  rows.map(({ chat_id, content_hash }) => [chat_id, content_hash]);

testInDrill(
  'a rebuild killed in the middle leaves everything as it was; the next one finishes it and publishes',
  async () => {
    const folder = copiedFolder(filled);
    const before = await contentOf(folder);
    const kept = join(folder, 'data', 'published', 'snapshots');
    const snapshots = readdirSync(kept);
    const { mtimeMs } = statSync(warehouseOf(folder));
    const killed = begin(['rebuild'], settings(), folder);
    const isUnderWay = (): boolean =>
      readdirSync(inside(folder, '')).some((name) => name.includes('.rebuild-') && name.endsWith('.wal'));
    await until(isUnderWay, 60, 'the new file');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect([statSync(warehouseOf(folder)).mtimeMs, readdirSync(kept)]).toEqual([mtimeMs, snapshots]);

    const asked = service.requests();
    const { code, said } = await runToEnd(['rebuild', '--json'], settings(), folder);
    expect([code, service.requests()]).toEqual([0, asked]);
    const { chats, snapshot } = JSON.parse(said) as { chats: number; snapshot: string };
    expect(chats).toBe(before['facts.chats']?.length);
    // The oldest is packed by then.
    const ids = (names: readonly string[]): string[] => names.map((name) => name.split('.')[0] ?? '');
    expect(ids(readdirSync(kept))).toEqual([...ids(snapshots), snapshot]);
    const after = await contentOf(folder);
    for (const [table, rows] of Object.entries(before)) expect([table, after[table]]).toEqual([table, rows]);
    const left = readdirSync(inside(folder, '')).sort();
    expect(left).toEqual(['archive.duckdb', 'chatledger.duckdb', 'closed.json']);
  },
);

testInDrill('a rebuild is refused with the process id while a pull writes, and a pull while it runs', async () => {
  const folder = newFolder();
  const pulling = begin(['pull', ...only], settings(), folder);
  await until(() => existsSync(`${rawOf(folder)}.wal`), 60, 'the first answers');
  const first = await runToEnd(['rebuild'], settings(), folder);
  expect(first.code).toBe(2);
  expect(first.complained).toContain(`another process (${pulling.child.pid}) is writing to`);
  expect((await pulling.ended).code).toBe(0);

  const rebuilding = begin(['rebuild'], settings(), folder);
  const isUnderWay = (): boolean =>
    readdirSync(inside(folder, '')).some((name) => name.includes('.rebuild-') && name.endsWith('.wal'));
  await until(isUnderWay, 60, 'the new file');
  const second = await runToEnd(['pull', ...only], settings(), folder);
  expect([second.code, second.complained]).toEqual([2, expect.stringContaining(`(${rebuilding.child.pid})`)]);
  expect((await rebuilding.ended).code).toBe(0);
});

test('a missing or damaged warehouse is made again by the next pull, which then asks for little', async () => {
  const folder = copiedFolder(filled);
  const before = await contentOf(folder);
  rmSync(warehouseOf(folder));
  const dry = await runToEnd(['pull', '--dry', '--json', ...only], settings(), folder);
  expect(dry.complained).toContain('is made again from the raw archive');
  expect(dry.complained).toContain(`is made again: ${before['facts.chats']?.length} chats`);
  const after = await contentOf(folder);
  for (const [table, rows] of Object.entries(before)) expect([table, after[table]]).toEqual([table, rows]);

  writeFileSync(warehouseOf(folder), 'this is no database');
  const pulled = await runToEnd(['pull', '--json', ...only], settings(), folder);
  expect(pulled.code).toBe(0);
  expect(pulled.complained).toMatch(
    /set aside as .*chatledger\.duckdb\.damaged-\d{8}T\d{6}Z; what is in it is made again/,
  );
  expect(asideIn(folder, 'chatledger.duckdb').length).toBe(1);
  const { requests, chats_new } = JSON.parse(pulled.said) as { requests: number; chats_new: number };
  expect([chats_new, requests < JSON.parse(dry.said).requests + 20]).toEqual([0, true]);
});

testInDrill(
  'a damaged raw archive is set aside; numbers stay, everything is asked again, and then it can be rebuilt',
  async () => {
    const folder = copiedFolder(filled);
    const before = await contentOf(folder);
    writeFileSync(rawOf(folder), 'this is no database');
    const first = await runToEnd(['rebuild'], settings(), folder);
    expect(first.code).toBe(2);
    expect(first.complained).toMatch(/archive\.duckdb\.damaged-\d{8}T\d{6}Z; a new one is begun/);
    expect(first.complained).toContain('holds no answers');
    // Only a part of it has come again: what the warehouse has and the archive has not is named, and nothing is lost.
    await runToEnd(['pull', '--only', 'total_chats'], settings(), folder);
    const refused = await runToEnd(['rebuild'], settings(), folder);
    expect(refused.code).toBe(1);
    expect(refused.complained).toContain(` days from ${dayBefore(8)} to `);
    expect((await contentOf(folder))['facts.chats']).toEqual(before['facts.chats']);

    expect((await runToEnd(['pull', ...only], settings(), folder)).code).toBe(0);
    expect((await runToEnd(['rebuild'], settings(), folder)).code).toBe(0);
    expect(chatsOf(await contentOf(folder))).toEqual(chatsOf(before));
  },
);

testInDrill('with both damaged it begins afresh from the source, and says so', async () => {
  const folder = copiedFolder(filled);
  for (const file of [rawOf(folder), warehouseOf(folder)]) writeFileSync(file, 'this is no database');
  const { code, said, complained } = await runToEnd(['pull', '--json', ...only], settings(), folder);
  expect(code).toBe(0);
  expect(complained).toContain('archive.duckdb.damaged-');
  expect(complained).toContain('chatledger.duckdb.damaged-');
  expect(complained).toContain('everything is pulled anew from the source');
  expect((JSON.parse(said) as { chats_new: number }).chats_new).toBeGreaterThan(1000);
});

testInDrill('a disk without room is a sentence, and what was there goes on when there is room again', async () => {
  const folder = newFolder();
  // A limit on the size of files stands for the full disk: writing beyond it fails the same way.
  const limited = new Promise<Ended>((resolve) => {
    const child = spawn(
      'sh',
      ['-c', `trap '' XFSZ; ulimit -f 3000; exec "$0" "$@"`, process.execPath, program, 'pull', ...only],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, ...settings() },
      },
    );
    let complained = '';
    child.stderr.on('data', (part: Buffer) => (complained += part.toString()));
    child.on('close', (code) => resolve({ code, said: '', complained }));
  });
  const { code, complained } = await limited;
  expect(code).toBe(1);
  expect(complained).toContain('the disk is full: free some space');
  expect(complained).not.toContain('set aside');
  const { complained: later, code: end } = await runToEnd(['pull', ...only], settings(), folder);
  expect([end, later.includes('set aside')]).toEqual([0, false]);
  expect(chatsOf(await contentOf(folder))).toEqual(chatsOf(await contentOf(filled)));
});

test('a folder that may not be written is a sentence, and nothing is set aside', async () => {
  const folder = copiedFolder(filled);
  const nobody = 65_534;
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, [program, 'pull', ...only], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings() },
    // Whoever may do everything has to become somebody who may not.
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  let complained = '';
  child.stderr.on('data', (part: Buffer) => (complained += part.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).not.toBe(0);
  expect(complained).toMatch(/cannot be written .*(make it writable|make the data folder writable)/);
  expect(readdirSync(inside(folder, '')).filter((name) => name.includes('damaged'))).toEqual([]);
  chownSync(folder, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
});

test('`snapshot` publishes at once, also when nothing is new', async () => {
  const folder = copiedFolder(filled);
  const { code, said } = await runToEnd(['snapshot', '--json'], settings(), folder);
  expect(code).toBe(0);
  const { file, id } = JSON.parse(said) as { file: string; id: string };
  expect(existsSync(file)).toBe(true);
  expect(
    readdirSync(join(folder, 'data', 'published', 'snapshots'))
      .sort()
      .at(-1),
  ).toBe(`${id}.duckdb`);
});

test('`snapshot --as-of` writes what was known as a file that needs nothing beside it, or says why not', async () => {
  const folder = copiedFolder(filled);
  for (let time = 0; time < 3; time += 1) expect((await runToEnd(['snapshot'], settings(), folder)).code).toBe(0);
  const ids = readdirSync(join(folder, 'data', 'published', 'snapshots')).filter((name) => name.endsWith('.json'));
  expect(ids.length).toBeGreaterThan(0);
  const wanted = async (...words: string[]) => runToEnd(['snapshot', ...words], {}, folder);
  const [oldest] = (await storedSnapshots(join(folder, 'data', 'published'))) as [StoredSnapshot];
  const { code, said, complained } = await wanted('--as-of', oldest.published_at, '--out', 'past.duckdb', '--json');
  expect([code, complained]).toEqual([0, '']);
  expect(JSON.parse(said)).toMatchObject({ id: oldest.id, file: join(folder, 'past.duckdb') });
  const alone = newFolder();
  renameSync(join(folder, 'past.duckdb'), join(alone, 'past.duckdb'));
  const engine = await openWarehouse(join(alone, 'past.duckdb'), { readOnly: true });
  expect(await engine.query('select snapshot_id from ledger.snapshot')).toEqual([{ snapshot_id: oldest.id }]);
  expect(await engine.query('select count(*) > 0 as there from metrics.conversion')).toEqual([{ there: true }]);
  await engine.close();

  writeFileSync(join(folder, 'there.duckdb'), '');
  for (const [words, says] of [
    [['--as-of', oldest.published_at], '--as-of and --out go together'],
    [['--out', 'x.duckdb'], '--as-of and --out go together'],
    [['--as-of', 'yesterday', '--out', 'x.duckdb'], '--as-of yesterday is not an instant'],
    [['--as-of', '2026-02-30T00:00:00Z', '--out', 'x.duckdb'], '--as-of 2026-02-30T00:00:00Z is not an instant'],
    [['--as-of', '2999-01-01T00:00:00Z', '--out', 'x.duckdb'], '--as-of 2999-01-01T00:00:00Z lies in the future'],
    [['--as-of', '2020-01-01T00:00:00Z', '--out', 'x.duckdb'], 'no snapshot is kept from 2020-01-01T00:00:00Z'],
    [['--as-of', oldest.published_at, '--out', 'there.duckdb'], 'there.duckdb exists already'],
    [['--as-of', oldest.published_at, '--out', 'no/where/x.duckdb'], 'no/where/x.duckdb'],
  ] as const) {
    const end = await wanted(...words);
    expect(end.code).not.toBe(0);
    expect([end.code, end.complained]).toEqual([expect.any(Number), expect.stringContaining(says)]);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('x.'))).toEqual([]);
});

testInDrill('an archive of the layout before this one is kept by name, and everything is asked again', async () => {
  const folder = copiedFolder(filled);
  rmSync(rawOf(folder));
  const engine = await openRawArchive(rawOf(folder));
  for (const name of ['responses', 'bodies', 'chats', 'versions']) await engine.exec(`drop table raw.${name}`);
  await engine.exec('create table raw.responses (account varchar, path varchar, received_on date, body varchar)');
  await engine.close();
  const { code, said, complained } = await runToEnd(['pull', '--json', ...only], settings(), folder);
  expect(code).toBe(0);
  expect(complained).toContain('archive.duckdb.older-');
  expect(JSON.parse(said)).toMatchObject({ chats_new: 0, chats_changed: 0 });
  expect((JSON.parse(said) as { chats_unchanged: number }).chats_unchanged).toBeGreaterThan(1000);
});
