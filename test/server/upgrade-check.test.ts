// `upgrade --check` on folders of every kind: what it says, its exit code, and that nothing is another afterwards.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { open } from '#warehouse/engines/default.ts';
import { openRawArchive, openWarehouse } from '#warehouse/store/open.ts';
import { rawAbout } from '#warehouse/tables/tables.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { checkUpgrade } from '../../src/server/upgrade-check.ts';
import { noteBackup } from '../../src/server/backup/status.ts';
import { newFolder, runToEnd } from './program.ts';

const now = Date.parse('2026-11-21T08:00:00Z') / 1000;
const warehouseIn = (folder: string): string => join(folder, 'warehouse', 'chatledger.duckdb');

/** With a warehouse, an archive and a snapshot of this program, and a backup that is `age_hours` old. */
async function folderMade(age_hours: number | null = 1): Promise<string> {
  const folder = newFolder();
  mkdirSync(join(folder, 'warehouse'));
  const engine = await openWarehouse(warehouseIn(folder), { now });
  await publish(engine, join(folder, 'published'), now * 1000);
  await engine.close();
  await archiveAt(folder, 2);
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ layout: 1, since: {}, service_api_key: 'k' }));
  const database = new DatabaseSync(join(folder, 'app.sqlite'));
  database.exec('pragma user_version = 1; pragma journal_mode = wal;');
  database.close();
  if (age_hours !== null) backedUp(folder, age_hours);
  return folder;
}

function backedUp(folder: string, age_hours: number, to = folder): void {
  const made_at = new Date((now - age_hours * 3600) * 1000).toISOString();
  const last = { id: 'b1', made_at, folder: to, bytes: 1, written: 1, seconds: 1, kept: 1, is_encrypted: false };
  noteBackup({ path: folder }, { last, failed: null });
}

async function archiveAt(folder: string, version: number): Promise<void> {
  const archive = await openRawArchive(join(folder, 'warehouse', 'archive.duckdb'));
  await archive.load(rawAbout, [{ version, begun_at: now, thinned_until: '2026-11-21' }]);
  await archive.close();
}

/** The warehouse as the program of version 1 made it. */
async function warehouseOfVersionOne(folder: string): Promise<void> {
  mkdirSync(join(folder, 'warehouse'), { recursive: true });
  const engine = await open(warehouseIn(folder));
  await engine.exec(readFileSync(join(import.meta.dirname, '..', 'warehouse', 'version-1.sql'), 'utf8'));
  await engine.exec(`insert into ledger.versions values (1, timestamptz '2026-11-01 08:00:00+00')`);
  await engine.close();
}

/** Names, sizes, modes and times of all files. */
const seen = (folder: string): string =>
  execFileSync('find', [folder, '-printf', '%p %s %m %T@\\n'], { encoding: 'utf8' }).split('\n').sort().join('\n');

const problems = async (folder: string): Promise<string[]> =>
  (await checkUpgrade(folder, now)).findings
    .filter(({ is_well }) => !is_well)
    .map(({ what, words }) => `${what}: ${words}`);

test('a folder of this program with a recent backup is ready, and nothing in it is another afterwards', async () => {
  const folder = await folderMade();
  const before = seen(folder);
  const found = await checkUpgrade(folder, now);
  expect(found.findings.filter(({ is_well }) => !is_well)).toEqual([]);
  const migration = { steps: [], bytes: 0, seconds: 0, is_measured: false };
  expect(found).toMatchObject({ is_ready: true, migration });
  expect(found.files.map(({ what, version, known }) => [what, version === known])).toEqual(
    ['data folder', 'warehouse', 'archive', 'app.sqlite', 'snapshot'].map((what) => [what, true]),
  );
  expect(found.backup).toMatchObject({ is_recent: true });
  expect(seen(folder)).toBe(before);
});

test('an older warehouse names the steps, their time and their room, and stays as it is', async () => {
  const folder = newFolder();
  await warehouseOfVersionOne(folder);
  backedUp(folder, 1);
  const before = seen(folder);
  const { is_ready, migration, findings } = await checkUpgrade(folder, now);
  expect(is_ready).toBe(true);
  expect(migration?.steps).toEqual([2, 3, 4, 5, 6, 7, 8]);
  expect([migration?.bytes, migration?.seconds]).toEqual([readFileSync(warehouseIn(folder)).length, 1]);
  expect(findings.find(({ what }) => what === 'warehouse')?.words).toContain('version 1 of 8');
  expect(seen(folder)).toBe(before);
});

test('a rehearsal measures the steps on a copy elsewhere, and says when they fail', async () => {
  const [folder, elsewhere] = [newFolder(), newFolder()];
  await warehouseOfVersionOne(folder);
  backedUp(folder, 1);
  const before = seen(folder);
  const { migration, findings } = await checkUpgrade(folder, now, elsewhere);
  expect(migration).toMatchObject({ steps: [2, 3, 4, 5, 6, 7, 8], is_measured: true });
  expect(migration?.seconds).toBeGreaterThan(0);
  expect(findings.find(({ what }) => what === 'warehouse')?.words).toContain('as measured on a copy');
  expect([seen(folder), readdirSync(elsewhere)]).toEqual([before, []]);
  await expect(checkUpgrade(folder, now, folder)).rejects.toThrow('one in the other');
  await expect(checkUpgrade(folder, now, join(elsewhere, 'none'))).rejects.toThrow('there is no such folder');
  const engine = await open(warehouseIn(folder));
  await engine.exec('drop table facts.chats cascade');
  await engine.close();
  const broken = await checkUpgrade(folder, now, elsewhere);
  expect(broken.is_ready).toBe(false);
  expect(broken.findings.find(({ what }) => what === 'rehearsal')?.words).toMatch(/copy failed .*chats/);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a rehearsal of no step says that none was made', async () => {
  const [folder, elsewhere] = [await folderMade(), newFolder()];
  const { is_ready, findings } = await checkUpgrade(folder, now, elsewhere);
  const told = { what: 'rehearsal', is_well: true, words: 'not made: there is no step of a migration to try' };
  expect([is_ready, findings.filter(({ what }) => what === 'rehearsal')]).toEqual([true, [told]]);
});

test('each file of a newer program is refused in a sentence that names both versions', async () => {
  const folder = await folderMade();
  const warehouse = await openWarehouse(warehouseIn(folder), { now });
  await warehouse.exec(`insert into ledger.versions values (99, timestamptz '2026-11-21 08:00:00+00')`);
  await publish(warehouse, join(folder, 'published'), now * 1000 + 60_000);
  await warehouse.close();
  writeFileSync(join(folder, 'state.json'), '{"layout": 7}');
  // Still in the log, not in the header of the file.
  const database = new DatabaseSync(join(folder, 'app.sqlite'));
  database.exec('pragma user_version = 8');
  const said = (await problems(folder)).join('\n');
  database.close();
  for (const [what, version] of [
    ['data folder: layout', 7],
    ['warehouse: version', 99],
    ['app.sqlite: version', 8],
    ['snapshots: 1 of version', 99],
  ])
    expect(said).toContain(`${what} ${version} was written by a newer version of the program`);
  expect((await checkUpgrade(folder, now)).migration).toBeNull();
});

test('an archive of a newer program is refused', async () => {
  const folder = await folderMade();
  await archiveAt(folder, 40);
  expect((await problems(folder)).join()).toMatch(/^archive: version 40 was written by a newer version/);
});

test('without a backup of the last day an upgrade has no way back', async () => {
  expect(await problems(await folderMade(null))).toEqual([expect.stringMatching(/^backup: none was made: run /)]);
  expect(await problems(await folderMade(25))).toEqual([expect.stringMatching(/^backup: .+more than a day ago: run /)]);
  const gone = await folderMade();
  backedUp(gone, 1, join(gone, 'unmounted'));
  expect(await problems(gone)).toEqual([expect.stringMatching(/^backup: .+which is not there now: run /)]);
});

test('damaged files are said and left as they are', async () => {
  const folder = await folderMade();
  for (const name of ['state.json', 'app.sqlite', 'warehouse/chatledger.duckdb', 'warehouse/archive.duckdb'])
    writeFileSync(join(folder, name), 'x'.repeat(5000));
  const before = seen(folder);
  const whats = (await problems(folder)).map((words) => words.split(':')[0]);
  expect(whats).toEqual(['data folder', 'warehouse', 'archive', 'app.sqlite']);
  expect(seen(folder)).toBe(before);
});

test('a warehouse that another process writes is said to be in use', async () => {
  const folder = await folderMade();
  const code = `import { openWarehouse } from '#warehouse/store/open.ts'; await openWarehouse('${warehouseIn(folder)}'); console.log('open'); setInterval(() => {}, 1000);`;
  const writer = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], { cwd: process.cwd() });
  try {
    await once(writer.stdout, 'data');
    expect(await problems(folder)).toEqual([
      expect.stringMatching(/^warehouse: another process \(\d+\) is writing to /),
    ]);
  } finally {
    writer.kill('SIGKILL');
  }
});

test('the command says it and sets the exit code; what it cannot check it refuses', async () => {
  const ready = newFolder();
  const run = (folder: string, ...words: string[]) =>
    runToEnd(['upgrade', ...words], { CHATLEDGER_DATA: folder }, newFolder());
  expect(await run(ready, '--check')).toMatchObject({
    code: 0,
    said: expect.stringContaining('nothing stands in the way'),
  });
  const late = await folderMade(null);
  const { code, said } = await run(late, '--check', '--json');
  expect([code, JSON.parse(said)]).toEqual([1, expect.objectContaining({ is_ready: false, backup: null })]);
  expect(await run(join(ready, 'nowhere'), '--check')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('there is no data folder'),
  });
  expect(await run(ready)).toMatchObject({ code: 2, complained: expect.stringContaining('--check') });
});
