// Files that were being made when a process was killed: they go at the next start, those of processes that live stay.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { filesOfProcess, forgetFilesOfDead } from '#server/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('what a process left that is gone is removed, what another is making is not', () => {
  forgetFilesOfDead(folder);
  const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
  for (const pid of [gone, process.ppid, process.pid]) {
    const own = join(filesOfProcess(folder, pid), 'rows-x');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'rows.parquet'), 'half of it');
  }
  forgetFilesOfDead(folder);
  expect(readdirSync(join(folder, 'files'))).toEqual([String(process.ppid)]);
});
