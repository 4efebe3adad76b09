// Backups as an operator sees them: made while others read and write, whole or not there, and put back with equal answers.
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { results_folder } from '#digests/kept-results.ts';
import type { Service } from '#service/service.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import { assertElsewhere, makeBackup } from '../../src/server/backup/backup.ts';
import { openRepository, WrongPiece } from '../../src/server/backup/repository.ts';
import { restoreBackup } from '../../src/server/backup/restore.ts';
import { isBackupDue, isBackupLate } from '../../src/server/backup/status.ts';
import { placeGiven } from '../../src/server/commands/backup.ts';
import { openFolder } from '../../src/server/folder.ts';
import { carryErasedOver } from '../../src/server/erased/carry-over.ts';
import { marksIn } from '../../src/server/erased/marks.ts';
import { tombstonesIn } from '../../src/server/erased/tombstones.ts';
import { data, metricsOf, rows } from './read-folder.ts';
import { partOf, testInDrill } from '../chance.ts';
import { filledFolder, type Filled } from './filled.ts';
import { begin, copiedFolder, newFolder, runToEnd, until, type Ended } from './program.ts';
import { filesBelow } from './traces.ts';

const key = 'correct horse battery';

let service: Service;
let settings: Filled['settings'];
/** A pull, three snapshots of which the oldest is packed, and a token. */
let filled: string;
/** Every answer of `filled`. */
let before: Record<string, string>;
/** A backup of `filled` that is not encrypted, and one that is. */
let plain: string;
let secret: string;
/** The data folder that `plain` was put into. */
let restored: string;
let made: { id: string; files: number; bytes: number; written: number; pieces_checked: number };

const run = (folder: string, words: readonly string[], more: Record<string, string> = {}): Promise<Ended> =>
  runToEnd(words, { ...settings(), ...more }, folder);

async function well(folder: string, words: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const { code, said, complained } = await run(folder, words, more);
  expect([code, complained]).toEqual([0, '']);
  return said;
}

beforeAll(async () => {
  const pulled = await filledFolder();
  ({ service, settings } = pulled);
  filled = copiedFolder(pulled.folder);
  for (let count = 0; count < 2; count += 1) await well(filled, ['snapshot']);
  await well(filled, ['token', 'list']);
  mkdirSync(join(data(filled), 'digests', 'monday'), { recursive: true, mode: 0o700 });
  writeFileSync(join(data(filled), 'digests', 'monday', 'overview.csv'), 'chats\n7\n', { mode: 0o600 });
  mkdirSync(join(data(filled), 'digests', results_folder), { mode: 0o700 });
  writeFileSync(join(data(filled), 'digests', results_folder, 'kept.json.gz'), 'made again', { mode: 0o600 });
  const saved = join(data(filled), 'settings.json');
  writeFileSync(saved, JSON.stringify({ CHATLEDGER_BACKUP_KEEP: '9' }), { mode: 0o600 });
  before = await metricsOf(filled, [[]]);
  [plain, secret] = [join(newFolder(), 'plain'), join(newFolder(), 'secret')];
  made = JSON.parse(await well(filled, ['backup', plain, '--json'])) as typeof made;
  await well(filled, ['backup', secret], { CHATLEDGER_BACKUP_KEY: key });
  const empty = newFolder();
  await well(empty, ['restore', plain]);
  restored = data(empty);
});
afterAll(() => service.close());

/** What stays the same over a backup: SQLite writes pages of its own, and results of saved queries are made again. */
const sumsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    filesBelow(folder)
      .map((file) => [relative(folder, file), createHash('sha256').update(readFileSync(file)).digest('hex')] as const)
      .filter(([name]) => !/^app\.sqlite|^backups\.json$|closed\.json$/.test(name))
      .filter(([name]) => !name.startsWith(`digests/${results_folder}/`)),
  );

test('a restored folder has every file, its times and its two names of one file, and gives every answer', async () => {
  const empty = dirname(restored);
  const wanted = Object.entries(sumsOf(data(filled))).filter(([name]) => !name.endsWith('.spare'));
  expect(Object.fromEntries(wanted)).toEqual(sumsOf(data(empty)));
  expect(wanted.map(([name]) => name)).toContain('published/chatledger.duckdb');
  const [newest, archive] = ['published/chatledger.duckdb', 'warehouse/archive.duckdb'];
  expect(statSync(join(data(empty), newest)).nlink).toBe(2);
  const lost = (name: string): number =>
    Math.abs(statSync(join(data(empty), name)).mtimeMs - statSync(join(data(filled), name)).mtimeMs);
  expect(lost(archive)).toBeLessThan(1);
  expect(await metricsOf(empty, [[]])).toEqual(before);
  // The next writer takes its files for what the last one closed.
  expect(await well(copiedFolder(empty), ['snapshot'])).toContain('is published');
});

test('everything of a data folder is in a backup, and the sizes say so', async () => {
  const repository = await openRepository(plain, { passphrase: null, is_new_allowed: false, is_read_only: true });
  const { files, snapshot, layout } = await repository.backup(made.id);
  const held = files.map(({ path }) => path);
  const there = filesBelow(data(filled)).map((file) => relative(data(filled), file));
  const left = there.filter((name) => !held.includes(name));
  // What a saved query said in a digest is asked again when it is wanted.
  expect(left.filter((name) => name.startsWith(`digests/${results_folder}/`))).toHaveLength(1);
  const made_again = new RegExp(`\\.spare$|^app\\.sqlite-(wal|shm)$|^backups\\.json$|^digests/${results_folder}/`);
  expect(left.filter((name) => !made_again.test(name))).toEqual([]);
  expect([snapshot, layout, made.files]).toEqual([
    readdirSync(join(data(filled), 'published', 'snapshots'))
      .sort()
      .at(-1)
      ?.slice(0, 19),
    1,
    held.length,
  ]);
  expect(made.pieces_checked).toBeGreaterThan(10);
  expect(made.written).toBeLessThan(made.bytes);
});

test('a second backup writes what has changed', async () => {
  const [folder, to] = [copiedFolder(filled), copiedFolder(plain)];
  const again = JSON.parse(await well(folder, ['backup', to, '--json'])) as typeof made;
  expect(again.written).toBeLessThan(made.written / 20);
  expect(await well(folder, ['backup', to, '--list'])).toMatch(/2 backups in .* take \d+\.\d MB/);
});

describe('an encrypted backup', () => {
  it('shows neither texts nor the name of any file, also not by what its pieces are called', async () => {
    const [{ text } = {}] = await rows(filled, 'select text from facts.messages where length(text) > 30 limit 1');
    const words = [String(text), 'chatledger.duckdb', 'snapshots', 'default'];
    for (const file of filesBelow(secret)) {
      const bytes = readFileSync(file);
      expect([file, words.filter((word) => bytes.includes(word))]).toEqual([file, []]);
    }
    const namesIn = (folder: string): Set<string> =>
      new Set(
        readdirSync(join(folder, 'pieces'), { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 10),
      );
    expect(namesIn(secret).isDisjointFrom(namesIn(plain))).toBe(true);
  });
  it('is put back with its key, and by no other', async () => {
    const empty = newFolder();
    const opened = (folder: string, passphrase: string | null): Promise<unknown> =>
      openRepository(folder, { passphrase, is_new_allowed: false, is_read_only: true });
    const other = 'wrong horse battery';
    await expect(opened(secret, null)).rejects.toThrow('are encrypted: set CHATLEDGER_BACKUP_KEY');
    await expect(opened(secret, other)).rejects.toThrow('is not the key of the backups in');
    await expect(opened(plain, other)).rejects.toThrow('are not encrypted: unset CHATLEDGER_BACKUP_KEY');
    const refused = await run(empty, ['restore', secret], { CHATLEDGER_BACKUP_KEY: 'short' });
    expect([refused.code, refused.complained]).toEqual([2, expect.stringContaining('at least 12 characters')]);
    expect(existsSync(data(empty))).toBe(false);
    const keyFile = join(empty, 'key');
    writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
    await well(empty, ['restore', secret], { CHATLEDGER_BACKUP_KEY_FILE: keyFile });
    expect(sumsOf(data(empty))).toEqual(sumsOf(restored));
  });
});

testInDrill(
  'after a clock that was ahead, and within one second, the last one made is the newest, and stays',
  async () => {
    const place = join(newFolder(), 'many');
    const repository = await openRepository(place, { passphrase: null, is_new_allowed: true, is_read_only: false });
    const folder = openFolder(data(copiedFolder(filled)));
    const made: string[] = [];
    for (const at of ['2027-12-01T00:00:00Z', ...Array.from({ length: 11 }, () => '2026-11-01T00:00:00Z')]) {
      const { id, made_at } = await makeBackup({
        ...{ folder, repository, program: '1.0.0', now: () => Date.parse(at) / 1000, onProgress: () => undefined },
        wait: { seconds: 0, waiting: () => undefined, resting: () => undefined },
      });
      expect(Date.parse(made_at)).toBe(Date.parse(at));
      made.push(id);
    }
    expect(await repository.ids()).toEqual(made);
    expect(new Set(made).size).toBe(12);
    await repository.prune(1);
    expect(await repository.ids()).toEqual(made.slice(-1));
    repository.close();
  },
);

describe('a folder of backups that has been damaged', () => {
  it('a bit is wrong: that is said, and nothing is put back', async () => {
    const [to, empty] = [copiedFolder(secret), newFolder()];
    const piece = filesBelow(join(to, 'pieces')).sort()[3] ?? '';
    writeFileSync(piece, flipped(readFileSync(piece)));
    const verified = await run(empty, ['backup', '--verify', to], { CHATLEDGER_BACKUP_KEY: key });
    expect([verified.code, verified.said]).toEqual([1, expect.stringMatching(/WRONG[^]*is damaged/)]);
    const restored = await run(empty, ['restore', to], { CHATLEDGER_BACKUP_KEY: key });
    expect([restored.code, restored.complained]).toEqual([
      1,
      expect.stringContaining('cannot be restored; nothing was changed'),
    ]);
    expect(readdirSync(data(empty))).toEqual([]);
  });
  it.each(partOf([false, true], 2))(
    'a piece is wrong (encrypted: %s): the next backup writes it anew, and all are whole',
    async (isSecret) => {
      const [to, folder] = [copiedFolder(isSecret ? secret : plain), copiedFolder(filled)];
      const own: Record<string, string> = isSecret ? { CHATLEDGER_BACKUP_KEY: key } : {};
      const archive = await openRepository(to, {
        ...{ passphrase: isSecret ? key : null, is_new_allowed: false, is_read_only: true },
      });
      const { files } = await archive.backup((await archive.ids()).at(-1) ?? '');
      const [name = ''] = files.find(({ path }) => path === 'published/chatledger.duckdb')?.pieces ?? [];
      const piece = join(to, 'pieces', name.slice(0, 2), name);
      const whole = readFileSync(piece);
      for (const damaged of partOf([flipped(whole), whole.subarray(0, 50), Buffer.alloc(0)], 3)) {
        writeFileSync(piece, damaged);
        expect((await run(folder, ['backup', '--verify', to], own)).code).toBe(1);
        await well(folder, ['backup', to], own);
        expect(await well(folder, ['backup', '--verify', to], own)).not.toContain('WRONG');
      }
    },
  );
  it('a manifest is wrong: the others can be read', async () => {
    const to = copiedFolder(plain);
    writeFileSync(join(to, 'backups', '20991231T000000Z.backup'), 'nothing');
    const repository = await openRepository(to, { passphrase: null, is_new_allowed: false, is_read_only: false });
    await expect(repository.backup('20991231T000000Z')).rejects.toThrow('the other backups do not need it');
    await expect(repository.prune(1)).rejects.toThrow('the other backups do not need it');
    expect((await repository.backup(made.id)).files.length).toBe(made.files);
    repository.close();
  });
});

const flipped = (bytes: Buffer): Buffer => {
  const at = Math.floor(bytes.length / 2);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([(bytes[at] ?? 0) ^ 1]), bytes.subarray(at + 1)]);
};

testInDrill('a corrupt installation is replaced, and kept aside', async () => {
  const folder = copiedFolder(filled);
  for (const name of ['app.sqlite', 'warehouse/chatledger.duckdb', 'state.json'])
    writeFileSync(join(data(folder), name), 'broken');
  const refused = await run(folder, ['restore', plain]);
  expect([refused.code, refused.complained]).toEqual([2, expect.stringContaining('is not empty')]);
  const said = await well(folder, ['restore', plain, '--replace']);
  expect(said).toContain('the former app.sqlite cannot be read');
  const aside = readdirSync(data(folder)).find((name) => name.startsWith('replaced-')) ?? '';
  expect(readFileSync(join(data(folder), aside, 'state.json'), 'utf8')).toBe('broken');
  rmSync(join(data(folder), aside), { recursive: true });
  expect(sumsOf(data(folder))).toEqual(sumsOf(restored));
});

test('a folder that somebody works on is not replaced', async () => {
  const folder = copiedFolder(filled);
  const held = await openRawArchive(join(data(folder), 'warehouse', 'archive.duckdb'));
  const { code, complained } = await run(folder, ['restore', plain, '--replace']);
  await held.close();
  expect([code, complained]).toEqual([2, expect.stringMatching(/archive\.duckdb is in use: stop the program/)]);
});

test('a backup waits for the writer, and takes what it has written', async () => {
  const [folder, to] = [copiedFolder(filled), join(newFolder(), 'to')];
  const held = await openRawArchive(join(data(folder), 'warehouse', 'archive.duckdb'));
  const waiting = begin(['backup', to], settings(), folder);
  let complained = '';
  waiting.child.stderr?.on('data', (part: Buffer) => (complained += part.toString()));
  await until(() => complained.includes('waiting until a pull ends'), 60, 'waiting');
  await held.query('create table mark (n integer)');
  await held.close();
  expect((await waiting.ended).code).toBe(0);
  const empty = newFolder();
  await well(empty, ['restore', to]);
  const archive = await openRawArchive(join(data(empty), 'warehouse', 'archive.duckdb'), { readOnly: true });
  expect(await archive.query('select count(*)::integer as n from mark')).toEqual([{ n: 0 }]);
  await archive.close();
});

test('only so many are kept, and the pieces that they need', async () => {
  const [to, folder] = [copiedFolder(plain), copiedFolder(filled)];
  writeFileSync(join(data(folder), 'digests', 'monday', 'more.csv'), 'more'.repeat(1000), { mode: 0o600 });
  const second = JSON.parse(await well(folder, ['backup', to, '--keep', '1', '--json'])) as {
    id: string;
    removed: string[];
  };
  const repository = await openRepository(to, { passphrase: null, is_new_allowed: false, is_read_only: true });
  expect([await repository.ids(), second.removed]).toEqual([[second.id], [made.id]]);
  const needed = new Set((await repository.backup(second.id)).files.flatMap(({ pieces }) => pieces));
  expect(new Set(filesBelow(join(to, 'pieces')).map((file) => file.slice(-64)))).toEqual(needed);
});

test('what cannot be a folder of backups is refused', async () => {
  const { code, complained } = await run(filled, ['backup', plain, '--keep', 'all']);
  expect([code, complained]).toEqual([2, expect.stringContaining('--keep all must be a whole number')]);
  const none = { backup: { folder: null, cron: '30 2 * * *', kept: 14, passphrase: null } };
  expect(() => placeGiven(undefined, none)).toThrow('say which folder of backups');
  expect(() => placeGiven('s3://bucket/x', none)).toThrow('s3://bucket/x is an address');
  for (const folder of ['/data', '/data/mine', '/'])
    expect(() => assertElsewhere('/data', folder)).toThrow('one in the other');
  assertElsewhere('/data', '/data-backups');
  const other = newFolder();
  writeFileSync(join(other, 'letter.txt'), '');
  const opening = { passphrase: null, is_read_only: false };
  await expect(openRepository(other, { ...opening, is_new_allowed: true })).rejects.toThrow(
    'neither empty nor a folder',
  );
  await expect(openRepository(other, { ...opening, is_new_allowed: false })).rejects.toThrow('no folder of backups');
  const repository = await openRepository(plain, { ...opening, is_new_allowed: false, is_read_only: true });
  await expect(repository.backup('../x')).rejects.toThrow('there is no backup ../x');
});

testInDrill('what people keep and do goes on meanwhile', async () => {
  const folder = copiedFolder(filled);
  await well(folder, ['user', 'add', 'olga@example.com', '--role', 'admin']);
  const to = join(newFolder(), 'to');
  const state = new DatabaseSync(join(data(folder), 'app.sqlite'));
  state.exec('pragma busy_timeout = 5000');
  state.exec('create table ticks (n integer)');
  const backing = begin(['backup', to], settings(), folder);
  let ticks = 0;
  let is_over = false;
  void backing.ended.then(() => (is_over = true));
  while (!is_over) {
    state.prepare('insert into ticks values (?)').run((ticks += 1));
    await pause(2);
  }
  state.close();
  expect((await backing.ended).code).toBe(0);
  const empty = newFolder();
  await well(empty, ['restore', to]);
  const restored = new DatabaseSync(join(data(empty), 'app.sqlite'));
  expect(restored.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const { n, most } = restored.prepare('select count(*) as n, max(n) as most from ticks').get() as Record<
    string,
    number
  >;
  expect(n).toBe(most);
  restored.close();
  expect(await well(empty, ['user', 'list'])).toContain('olga@example.com');
});

testInDrill('kills of a backup leave the backups before, and the next one is whole', async () => {
  const [folder, to] = [copiedFolder(filled), copiedFolder(plain)];
  writeFileSync(join(data(folder), 'digests', 'monday', 'large.csv'), Buffer.alloc(3_000_000, 'abcdefgh'), {
    mode: 0o600,
  });
  for (const after of [900]) {
    const { child, ended } = begin(['backup', to], settings(), folder);
    await pause(after);
    child.kill('SIGKILL');
    await ended;
    expect(await well(newFolder(), ['backup', '--verify', to])).not.toContain('WRONG');
  }
  await well(folder, ['backup', to]);
  expect(filesBelow(join(to, 'pieces')).filter((file) => file.endsWith('.part'))).toEqual([]);
  const empty = newFolder();
  await well(empty, ['restore', to]);
  rmSync(join(data(empty), 'digests', 'monday', 'large.csv'));
  expect(sumsOf(data(empty))).toEqual(sumsOf(restored));
});

testInDrill(
  'kills of a restore leave what was there or what is put back, and nobody takes a half for a whole',
  async () => {
    for (const after of [800]) {
      const folder = copiedFolder(filled);
      writeFileSync(join(data(folder), 'digests', 'monday', 'overview.csv'), 'newer');
      const { child, ended } = begin(['restore', plain, '--replace'], settings(), folder);
      await pause(after);
      child.kill('SIGKILL');
      await ended;
      if (existsSync(join(data(folder), 'restoring')))
        expect(await run(folder, ['doctor'])).toMatchObject({
          code: 1,
          said: expect.stringContaining('was cut off') as string,
        });
      await well(folder, ['restore', plain, '--replace']);
      expect(readFileSync(join(data(folder), 'digests', 'monday', 'overview.csv'), 'utf8')).toBe('chats\n7\n');
      for (const name of readdirSync(data(folder)).filter((each) => each.startsWith('replaced-')))
        rmSync(join(data(folder), name), { recursive: true });
      expect(sumsOf(data(folder))).toEqual(sumsOf(restored));
    }
  },
);

test('a restore that goes on is named, and neither disturbed by another one nor called cut off', async () => {
  const folder = copiedFolder(filled);
  const { child, ended } = begin(['restore', plain, '--replace'], settings(), folder);
  const lock = join(data(folder), 'restoring', 'lock');
  while (!existsSync(lock) && child.exitCode === null) await pause(2);
  child.kill('SIGSTOP');
  const going = `is going on (process ${child.pid} of ${hostname()}): wait until it is done`;
  expect(await run(folder, ['doctor'])).toMatchObject({ code: 1, said: expect.stringContaining(going) as string });
  const second = await run(folder, ['restore', plain, '--replace']);
  expect(second).toMatchObject({ code: 1, said: '' });
  expect(second.complained).toContain(`is in use by process ${child.pid} of ${hostname()}: wait until it is done`);
  child.kill('SIGCONT');
  expect((await ended).code).toBe(0);
  for (const name of readdirSync(data(folder)).filter((each) => each.startsWith('replaced-')))
    rmSync(join(data(folder), name), { recursive: true });
  expect(sumsOf(data(folder))).toEqual(sumsOf(restored));
});

test('a place that somebody named wrong is told to them, and is no failed backup of the settings', async () => {
  const folder = copiedFolder(filled);
  const noted = join(data(folder), 'backups.json');
  const isNoted = (): string => (existsSync(noted) ? readFileSync(noted, 'utf8') : '');
  const before = isNoted();
  const there = join(newFolder(), 'there.tar');
  writeFileSync(there, '');
  expect(await run(folder, ['backup', there])).toMatchObject({ code: 2, said: '' });
  expect(isNoted()).toBe(before);
  // By the settings it is one.
  expect(await run(folder, ['backup'], { CHATLEDGER_BACKUP: join(data(folder), 'inside') })).toMatchObject({ code: 2 });
  expect(JSON.parse(isNoted())).toMatchObject({ failed: { sentence: expect.any(String) as string } });
});

test('files are put where they were, and nowhere else', async () => {
  const repository = await openRepository(plain, { passphrase: null, is_new_allowed: false, is_read_only: true });
  const backup = await repository.backup(made.id);
  const [first] = backup.files;
  for (const path of ['../outside', '/etc/outside', 'a/../../outside', 'a//b', '']) {
    const wrong = { ...backup, id: '20200101T000000Z', files: [{ ...first!, path }] };
    const to = await openRepository(copiedFolder(plain), {
      passphrase: null,
      is_new_allowed: false,
      is_read_only: false,
    });
    await expect(to.add(wrong)).rejects.toThrow('leads out of the data folder');
    to.close();
  }
  const link = join(newFolder(), 'link');
  linkSync(join(data(filled), 'state.json'), link);
  expect(statSync(link).nlink).toBe(2);
});

test('random pieces are read as they were written, and a changed one never is', async () => {
  const folder = join(newFolder(), 'to');
  const repository = await openRepository(folder, { passphrase: key, is_new_allowed: true, is_read_only: false });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.nat(), async (bytes, place) => {
      const { name } = await repository.store(bytes);
      expect(new Uint8Array(await repository.read(name))).toEqual(bytes);
      expect(await repository.store(bytes)).toEqual({ name, written: 0 });
      const file = join(folder, 'pieces', name.slice(0, 2), name);
      const stored = readFileSync(file);
      stored[place % stored.length] = (stored[place % stored.length] ?? 0) ^ (1 + (place % 255));
      writeFileSync(file, stored);
      await expect(repository.read(name)).rejects.toThrow(WrongPiece);
      rmSync(file);
      await expect(repository.read(name)).rejects.toThrow('is missing');
    }),
    { numRuns: 50 },
  );
  repository.close();
});

test('one writer at a time, and the lock of a dead one is nobody’s', async () => {
  const folder = join(newFolder(), 'to');
  const opening = { passphrase: null, is_new_allowed: true, is_read_only: false };
  const first = await openRepository(folder, opening);
  await expect(openRepository(folder, opening)).rejects.toThrow(/is in use by process \d+/);
  first.close();
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: (await import('node:os')).hostname() }));
  (await openRepository(folder, opening)).close();
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 1, host: 'elsewhere' }));
  await expect(openRepository(folder, opening)).rejects.toThrow('is in use by process 1 of elsewhere');
});

test('a restored folder stays restored when nothing was there before', async () => {
  const repository = await openRepository(plain, { passphrase: null, is_new_allowed: false, is_read_only: true });
  const folder = join(newFolder(), 'data');
  const backup = await repository.backup(made.id);
  const given = { folder, repository, backup, is_replacing: false, now: new Date(0), onProgress: () => undefined };
  expect((await restoreBackup(given)).aside).toBe(null);
  await expect(restoreBackup(given)).rejects.toThrow('is not empty');
  expect((await restoreBackup({ ...given, is_replacing: true })).aside).toBe(join(folder, 'replaced-19700101T000000Z'));
  expect((await restoreBackup({ ...given, is_replacing: true })).aside).toBe(
    join(folder, 'replaced-19700101T000000Z-2'),
  );
});

describe('who was erased after a backup was made', () => {
  const at = (name: string): string => join(newFolder(), name);
  const erase = (file: string, ids: readonly string[]): DatabaseSync => {
    const state = new DatabaseSync(file);
    const tombstones = tombstonesIn(state);
    const of = (id: string) => ({ kind: 'visitor' as const, account: 'default', id, pseudonym: `p-${id}` });
    tombstones.add(ids.map(of), 1, () => undefined);
    return state;
  };
  it('is known to the restored folder', () => {
    const old = at('old.sqlite');
    const [state, restored] = [erase(old, ['v1', 'v2']), erase(at('new.sqlite'), [])];
    marksIn(state).advance({ texts: '2026-01-01' }, 1);
    state.close();
    expect(carryErasedOver(old, restored, 2)).toEqual({ erased: 2, marks: 1 });
    expect(tombstonesIn(restored).pseudonymOf('visitor', 'default', 'v2')).toBe('p-v2');
    expect(marksIn(restored).marks()).toEqual({ texts: '2026-01-01' });
    expect(carryErasedOver(old, restored, 2)).toEqual({ erased: 0, marks: 0 });
    restored.close();
  });
  it('cannot be told from a file of another installation, or one that is broken', () => {
    const [old, broken] = [at('old.sqlite'), at('broken.sqlite')];
    erase(old, ['v1']).close();
    const restored = erase(at('new.sqlite'), ['v9']);
    expect(carryErasedOver(old, restored, 2)).toBe(undefined);
    writeFileSync(broken, 'this is not a database at all, and was none before');
    expect(carryErasedOver(broken, restored, 2)).toBe(undefined);
    expect(carryErasedOver(at('gone.sqlite'), restored, 2)).toBe(undefined);
    restored.close();
  });
});

test('a backup is due by its schedule, again an hour after it failed, and late when two were due', () => {
  const settings = { folder: '/x', cron: '30 2 * * *', kept: 14, passphrase: null };
  const last = {
    ...{ id: '20261118T023000Z', made_at: '2026-11-18T02:30:10.000Z', folder: '/x', bytes: 1 },
    ...{ written: 1, seconds: 1, kept: 1, is_encrypted: false },
  };
  const seconds = (text: string): number => Date.parse(text) / 1000;
  const due = (now: string): boolean => isBackupDue(settings, { last, failed: null }, seconds(now));
  expect([due('2026-11-18T12:00:00Z'), due('2026-11-19T02:29:59Z'), due('2026-11-19T02:30:00Z')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(isBackupDue(settings, { last: null, failed: null }, 0)).toBe(true);
  // While a pull goes on, the first one has its time too.
  const first = (now: string): boolean =>
    isBackupDue(settings, { last: null, failed: null }, seconds(now), seconds('2026-11-18T22:00:00Z'));
  expect([first('2026-11-19T02:29:00Z'), first('2026-11-19T02:30:00Z')]).toEqual([false, true]);
  // The clock was ahead then, and was set right.
  expect(due('2026-11-18T02:30:00Z')).toBe(true);
  const failed = { at: '2026-11-19T02:31:00.000Z', sentence: 'full' };
  const again = (now: string): boolean => isBackupDue(settings, { last, failed }, seconds(now));
  expect([again('2026-11-19T03:30:00Z'), again('2026-11-19T03:31:00Z')]).toEqual([false, true]);
  expect(again('2026-11-19T01:31:00Z')).toBe(true);
  const late = (now: string): boolean => isBackupLate(settings, { last, failed: null }, seconds(now));
  expect([late('2026-11-20T02:29:00Z'), late('2026-11-20T02:30:00Z')]).toEqual([false, true]);
});
