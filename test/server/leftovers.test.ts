// Files in the data folder that an erasure removes, leaves to those who know them, or cannot speak for.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { foreignFiles, unusedFiles } from '../../src/server/erase/leftovers.ts';
import { newFolder } from './program.ts';

test('every file of the program is known as one, downloads of processes that are gone are removed, and others are named', () => {
  const path = newFolder();
  const gone = '4194305'; // more than the system counts to
  const own = ['state.json', 'settings.json', 'backups.json', 'logo.png', 'app.sqlite', 'app.sqlite-wal'];
  for (const name of ['warehouse', 'published', 'service', 'digests', 'erase', `files/${gone}`, `files/${process.pid}`])
    mkdirSync(join(path, name), { recursive: true });
  for (const name of [
    ...own,
    `files/${gone}/chats.csv`,
    `files/${process.pid}/chats.csv`,
    'copy of settings.json',
    'old.tar',
  ])
    writeFileSync(join(path, name), '');
  expect(foreignFiles({ path }).map((file) => relative(path, file))).toEqual(['copy of settings.json', 'old.tar']);
  expect(unusedFiles({ path }).map((file) => relative(path, file))).toEqual([`files/${gone}`]);
});
