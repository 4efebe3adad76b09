// What the doctor says of an erasure that was cut off.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '#etl/raw/archive.ts';
import { erasureFinding } from '#server/erase/finding.ts';
import { writeJob, type ErasureJob } from '#server/erase/job.ts';
import { openFolder } from '#server/folder.ts';
import { newFolder, runToEnd } from './program.ts';

const begun_at = '2026-11-18T10:20:30.000Z';
const job: ErasureJob = {
  ...{ id: 'one', phase: 'making', begun_at, by: 'vera', wanted: { address: 'anna@example.com' } },
  ...{ accounts: [], space: 1, words: [], documents: [] },
};

test('one that was cut off is wrong until a command that writes has ended it', async () => {
  const path = newFolder();
  const folder = openFolder(join(path, 'data'));
  await (await openArchive(folder.raw)).close();
  expect(await erasureFinding(folder)).toEqual([]);
  writeJob(folder, job);
  const words =
    `one that began at ${begun_at} was cut off, and what it was to remove may still be there: the next command that writes ends it,` +
    " 'npx chatledger pull' or 'erase'";
  expect(await erasureFinding(folder)).toEqual([{ what: 'erasure', is_well: false, words }]);
  const { code, said } = await runToEnd(['doctor'], {}, path);
  expect([code, said]).toEqual([1, expect.stringContaining(`WRONG erasure: ${words}\n`)]);
  writeJob(folder, { ...job, old: { texts: { from: null, before: '2026-01-01' } } });
  expect(await erasureFinding(folder)).toEqual([
    expect.objectContaining({ what: 'retention', is_well: false, words: expect.stringContaining("or 'retain'") }),
  ]);
  writeFileSync(join(folder.path, 'erase', 'job.json'), '{');
  expect(await erasureFinding(folder)).toEqual([
    expect.objectContaining({ what: 'erasure', is_well: false, words: expect.stringContaining('is damaged: remove') }),
  ]);
});
