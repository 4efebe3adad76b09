// A folder that is named and cannot be made is told, also where the system says of every folder below that it is not there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, makeFolderOf } from '#server/made-folder.ts';
import { begin, newFolder } from './program.ts';

const impossible = '/proc/none/backups';

test.runIf(existsSync('/proc'))('a backup to a folder below /proc is refused in a sentence', async () => {
  const running = begin(['backup', impossible], {}, newFolder());
  // It does not hear any other signal while it looks for ever.
  const patience = setTimeout(() => running.child.kill('SIGKILL'), 60_000);
  const { code, complained } = await running.ended;
  clearTimeout(patience);
  expect([code, complained]).toEqual([
    1,
    expect.stringMatching(/^chatledger: \/proc\/none\/backups cannot be written \(ENOENT.+\): .+ make it writable\n$/),
  ]);
});

test('a folder is made with those above it, and one that is there is left', () => {
  const path = join(newFolder(), 'one', 'two');
  makeFolder(path);
  makeFolder(path);
  expect(existsSync(path)).toBe(true);
  expect(() => makeFolderOf('--out', join('/dev/null', 'x'))).toThrow(/^--out \/dev\/null\/x cannot be made \(/);
});
