// A backup in one file: what every tar opens, whole or not there, and said in a sentence when it is not what was written.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { makeBackup } from '../../src/server/backup/backup.ts';
import { namesFile } from '../../src/server/backup/place.ts';
import { openRepository, type Repository } from '../../src/server/backup/repository.ts';
import { restoreBackup } from '../../src/server/backup/restore.ts';
import { plainSeal } from '../../src/server/backup/seal.ts';
import { paddingOf, readTarHeader, tar_block, tarHeader } from '../../src/server/backup/tar.ts';
import { openFolder } from '../../src/server/folder.ts';
import { tries } from '../chance.ts';
import { newFolder, runToEnd } from './program.ts';

const key = 'correct horse battery';
const now = Date.parse('2026-11-21T08:00:00Z') / 1000;
/** Two pieces, the second of which is not whole. */
const letter = 'abcdefg\n'.repeat(150_000);

let folder: string;
let plain: string;
let secret: string;

const reading = { is_new_allowed: false, is_read_only: true } as const;
const writing = { is_new_allowed: true, is_read_only: false } as const;

async function backedUp(file: string, passphrase: string | null): Promise<string> {
  const repository = await openRepository(file, { passphrase, ...writing });
  try {
    const wait = { seconds: 0, waiting: () => undefined, resting: () => undefined };
    await makeBackup({
      ...{ folder: openFolder(folder), repository, now: () => now, program: '0.0.0', wait },
      onProgress: () => undefined,
    });
    return file;
  } finally {
    repository.close();
  }
}

/** Into a folder of its own. Errors: what a restore says. */
async function putBack(file: string, passphrase: string | null = null): Promise<string> {
  const repository = await openRepository(file, { passphrase, ...reading });
  try {
    const to = join(newFolder(), 'data');
    await putInto(to, repository);
    return to;
  } finally {
    repository.close();
  }
}

async function putInto(to: string, repository: Repository): Promise<void> {
  const backup = await repository.backup((await repository.ids()).at(-1) ?? '');
  const given = { folder: to, repository, backup, is_replacing: false, now: new Date(0), onProgress: () => undefined };
  await restoreBackup(given);
}

const letterIn = (data: string): string => readFileSync(join(data, 'digests', 'letter.csv'), 'utf8');

beforeAll(async () => {
  folder = join(newFolder(), 'data');
  openFolder(folder);
  mkdirSync(join(folder, 'digests'), { recursive: true });
  writeFileSync(join(folder, 'digests', 'letter.csv'), letter);
  plain = await backedUp(join(newFolder(), 'plain.tar'), null);
  secret = await backedUp(join(newFolder(), 'secret.tar'), key);
});

test('what is in the file is put back, with its key where it has one', async () => {
  expect(letterIn(await putBack(plain))).toBe(letter);
  expect(letterIn(await putBack(secret, key))).toBe(letter);
  expect(readFileSync(secret).includes('letter.csv')).toBe(false);
  await expect(putBack(secret)).rejects.toThrow('are encrypted: set CHATLEDGER_BACKUP_KEY');
  await expect(putBack(secret, `${key}!`)).rejects.toThrow('is not the key of the backups in');
  await expect(putBack(plain, key)).rejects.toThrow('are not encrypted: unset CHATLEDGER_BACKUP_KEY');
});

test('tar unpacks it to a folder of backups, and zstd what is in its pieces', async () => {
  const to = newFolder();
  execFileSync('tar', ['-xf', plain, '-C', to]);
  expect(execFileSync('tar', ['-tf', plain], { encoding: 'utf8' }).split('\n')[0]).toBe('chatledger-backup.json');
  expect(letterIn(await putBack(to))).toBe(letter);
  const [id = ''] = readdirSync(join(to, 'backups'));
  const { files } = JSON.parse(zstdDecompressSync(readFileSync(join(to, 'backups', id))).toString()) as {
    files: { path: string; pieces: string[] }[];
  };
  const { pieces = [] } = files.find(({ path }) => path === 'digests/letter.csv') ?? {};
  const parts = pieces.map((name) => zstdDecompressSync(readFileSync(join(to, 'pieces', name.slice(0, 2), name))));
  expect(Buffer.concat(parts).toString()).toBe(letter);
});

describe('a file that is not what was written', () => {
  const written = (bytes: Uint8Array): string => {
    const file = join(mkdtempSync(join(tmpdir(), 'chatledger-test-')), 'other.tar');
    writeFileSync(file, bytes);
    return file;
  };
  it('is cut off: that is said wherever it ends', async () => {
    const whole = readFileSync(secret);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: tar_block, max: whole.length - 1 }), async (length) => {
        const opened = openRepository(written(whole.subarray(0, length)), { passphrase: key, ...reading });
        await expect(opened).rejects.toThrow(`is cut off after ${length} bytes: copy other.tar again`);
      }),
      { numRuns: tries(3, 200) },
    );
  });
  it('has another byte: that is said, or the byte means nothing', async () => {
    for (const [file, passphrase, numRuns] of [
      [plain, null, tries(12, 2000)],
      [secret, key, tries(2, 200)],
    ] as const) {
      const whole = readFileSync(file);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ change;
          const found = await putBack(written(bytes), passphrase).then(letterIn, (error: Error) => error.message);
          if (found !== letter)
            expect(found).toMatch(/is damaged|is no backup|cut off|cannot be (read|restored)|not the key|encrypted/);
        }),
        { numRuns },
      );
    }
  });
  it('has another byte in its list of files: whichever it is, nothing else is read', async () => {
    const files = ['letter.csv', 'month.pdf'].map((name) => ({ path: `digests/${name}`, pieces: ['ab'.repeat(32)] }));
    const list = Buffer.from(JSON.stringify({ id: '20260512T090000Z', files }));
    const stored = await plainSeal.close('backup 20260512T090000Z', list);
    for (let at = 0; at < stored.length; at += 1)
      for (let change = 1; change < 256; change *= 2) {
        const bytes = Buffer.from(stored);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const found = await plainSeal.open('backup 20260512T090000Z', bytes).catch(() => list);
        expect([at, change, found.equals(list)]).toEqual([at, change, true]);
      }
  });
  it('is something else, or nothing', async () => {
    const said = (bytes: Uint8Array): Promise<string> =>
      putBack(written(bytes)).then(
        () => 'restored',
        (error: Error) => error.message,
      );
    expect(await said(Buffer.alloc(0))).toContain('is no backup of this program');
    expect(await said(Buffer.alloc(4096))).toContain('is no backup of this program');
    expect(await said(Buffer.from('PK\x03\x04'.repeat(1000)))).toContain('is no backup of this program');
    expect(await said(tarHeader('letter.txt', 0))).toContain('it does not begin with chatledger-backup.json');
    await expect(putBack(join(newFolder(), 'none.tar'))).rejects.toThrow(/there is no file .*none\.tar/);
  });
});

test('a file that is there stays as it is, also one that came meanwhile', async () => {
  const before = readFileSync(plain);
  await expect(backedUp(plain, null)).rejects.toThrow('is there already and stays as it is: name another');
  expect(readFileSync(plain)).toEqual(before);
  const file = join(newFolder(), 'late.tar');
  const repository = await openRepository(file, { passphrase: null, ...writing });
  await expect(openRepository(file, { passphrase: null, ...writing })).rejects.toThrow(
    /late\.tar is in use by process/,
  );
  writeFileSync(file, 'mine');
  const manifest = { id: '20261121T080000Z', made_at: '2026-11-21T08:00:00Z', program: '0.0.0', layout: 1 };
  await expect(repository.add({ ...manifest, snapshot: null, files: [] })).rejects.toThrow('is there already');
  repository.close();
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(readdirSync(join(file, '..'))).toEqual(['late.tar']);
});

test('the name says whether it is a file, and other kinds are refused', async () => {
  expect(['/mnt/all.tar', '/mnt/all.TAR', '/mnt/all', '/mnt/all.tar/x'].map(namesFile)).toEqual([
    ...[true, true, false, false],
  ]);
  for (const name of ['all.tar.gz', 'all.tar.zst', 'all.tgz', 'all.zip'])
    expect(() => namesFile(name)).toThrow('a backup in one file is called NAME.tar');
  await expect(backedUp(join(newFolder(), 'nowhere', 'all.tar'), null)).rejects.toThrow('there is no folder');
});

test('the command makes one, lists and verifies it, and puts it into a corrupt installation', async () => {
  const work = newFolder();
  const file = join(work, 'all.tar');
  const settings = { CHATLEDGER_DATA: folder, CHATLEDGER_BACKUP_KEY: key };
  const run = (...words: string[]) => runToEnd(words, settings, work);
  expect(await run('backup', file, '--keep', '3')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--keep is about a folder of backups'),
  });
  expect(await run('backup', file)).toMatchObject({
    code: 0,
    said: expect.stringContaining('all.tar and was read back'),
  });
  expect(await run('backup', '--verify', file)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/ whole\n1 backup in .*all\.tar takes/),
  });
  writeFileSync(join(folder, 'app.sqlite'), 'broken');
  writeFileSync(join(folder, 'digests', 'letter.csv'), 'lost');
  expect(await run('restore', file)).toMatchObject({ code: 2, complained: expect.stringContaining('is not empty') });
  const below = { ...settings, CHATLEDGER_DATA: join(file, 'data') };
  expect(await runToEnd(['restore', file], below, work)).toMatchObject({
    code: 1,
    complained: expect.stringMatching(
      /a file lies where a folder belongs.*intact, and the same restore can be run again/,
    ),
  });
  expect(await run('restore', file, '--replace')).toMatchObject({ code: 0 });
  expect(letterIn(folder)).toBe(letter);
  expect(readdirSync(work)).toEqual(['all.tar']);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test('headers are read as they were written, and no other', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9/.-]{1,100}$/), fc.nat(8 ** 11 - 1), fc.nat(511), (name, bytes, at) => {
      const header = tarHeader(name, bytes);
      expect(readTarHeader(header)).toEqual({ name, bytes });
      expect((bytes + paddingOf(bytes)) % tar_block).toBe(0);
      header[at] = (header[at] ?? 0) ^ 1;
      expect(readTarHeader(header)).toBeUndefined();
    }),
    { numRuns: tries(200, 5000) },
  );
  expect(() => tarHeader('x'.repeat(101), 1)).toThrow('too long');
});
