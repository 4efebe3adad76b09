// A backup, and its row of the audit, where the data folder takes nothing more: a sentence that names the file, and no failure of the program.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { withAuth } from '#server/auth.ts';
import { openFolder } from '#server/folder.ts';
import { makeBackup } from '../../src/server/backup/backup.ts';
import { openRepository } from '../../src/server/backup/repository.ts';
import { newFolder } from './program.ts';

test('what people keep cannot be copied: the sentence says where room is missing', async () => {
  const path = join(newFolder(), 'data');
  mkdirSync(path);
  new DatabaseSync(join(path, 'app.sqlite')).exec('create table kept (it text)');
  // Nobody can make a file there.
  const files = join(newFolder(), 'files');
  symlinkSync('/proc/self/fdinfo', files);
  const to = join(newFolder(), 'to');
  const repository = await openRepository(to, { passphrase: null, is_new_allowed: true, is_read_only: false });
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
  await expect(making).rejects.toMatchObject({
    ...{ name: 'Stopped', code: 1 },
    message: expect.stringMatching(/^app\.sqlite cannot be copied within \S+data \(unable to .*free some space/),
  });
  repository.close();
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
