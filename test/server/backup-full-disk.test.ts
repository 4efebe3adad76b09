// A backup, and its row of the audit, where the data folder takes nothing more: a sentence that names the file, and no failure of the program.
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { withAuth } from '#server/auth.ts';
import { openFolder } from '#server/folder.ts';
import { backingUp as backingUpBeforePulls } from '#server/commands/start-backing-up.ts';
import { makeBackup, type MadeBackup } from '../../src/server/backup/backup.ts';
import { openRepository } from '../../src/server/backup/repository.ts';
import { writingTo } from '../../src/server/backup/storage.ts';
import type { Children } from '../../src/server/children.ts';
import type { Terminal } from '../../src/server/terminal.ts';
import { newFolder } from './program.ts';

/** Nobody can make a file there. */
const closed = '/proc/self/fdinfo';

/** Into a temporary folder, where one is needed. */
async function backingUp(temporary: string): Promise<{ making: Promise<MadeBackup>; close: () => void }> {
  const path = join(newFolder(), 'data');
  mkdirSync(path);
  new DatabaseSync(join(path, 'app.sqlite')).exec('create table kept (it text)');
  const files = join(newFolder(), 'files');
  symlinkSync(closed, files);
  const to = join(newFolder(), 'to');
  const repository = await openRepository(to, { passphrase: null, is_new_allowed: true, is_read_only: false });
  vi.stubEnv('TMPDIR', temporary);
  const making = makeBackup({
    ...{
      folder: { ...openFolder(path), files },
      repository,
      now: () => 0,
      program: '0.0.0',
      onProgress: () => undefined,
    },
    wait: { seconds: 0, waiting: () => undefined, resting: () => undefined },
  });
  return { making, close: () => repository.close() };
}

test('what people keep cannot be copied: the sentence says where room is missing', async () => {
  const { making, close } = await backingUp(closed);
  await expect(making).rejects.toMatchObject({
    ...{ name: 'Stopped', code: 1 },
    message: expect.stringMatching(/^app\.sqlite cannot be copied within \S+data \(unable to .*free some space/),
  });
  close();
  vi.unstubAllEnvs();
});

test('what people keep is copied to the temporary folder where the data folder has no room, and nothing is left there', async () => {
  const temporary = newFolder();
  const { making, close } = await backingUp(temporary);
  expect(await making).toMatchObject({ id: '19700101T000000Z' });
  close();
  expect(readdirSync(temporary)).toEqual([]);
  vi.unstubAllEnvs();
});

test('a scheduled backup that was cut off and cannot be noted is told, and stops no pull', async () => {
  const warned: string[] = [];
  const backUp = backingUpBeforePulls(
    {
      backup: () => ({ folder: '/mnt/backup', cron: '0 3 * * *', kept: 7, passphrase: null }),
      folder: { ...openFolder(newFolder()), path: closed },
      terminal: { warn: (sentence: string) => void warned.push(sentence) } as unknown as Terminal,
      children: { run: () => Promise.resolve(137), is_ending: false } as unknown as Children,
    },
    () => true,
  );
  await backUp();
  expect(warned).toEqual([
    expect.stringMatching(
      /^the backup ended with exit code 137, which could not be noted \(Error: ENOENT.*\); the next try comes with the next pull$/,
    ),
  ]);
});

test('the error of a full disk names the disk of the backups when it is that one', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  await expect(writingTo('/mnt/backup', () => Promise.reject(full))).rejects.toMatchObject({ path: '/mnt/backup' });
});

test('a command that cannot write to what people keep says so', async () => {
  const path = newFolder();
  vi.stubEnv('CHATLEDGER_DATA', path);
  const noting = withAuth(() => {
    throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' });
  });
  await expect(noting).rejects.toMatchObject({
    ...{ name: 'Stopped', code: 1 },
    message: `${join(path, 'app.sqlite')} cannot be written (database or disk is full): free some space, or make it writable`,
  });
  vi.unstubAllEnvs();
});
