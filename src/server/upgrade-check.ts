// What this version would do to a data folder, and what stands in its way. It only reads: no folder, file or mode is changed.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OlderArchive } from '#warehouse/errors.ts';
import { archiveVersion, knownWarehouse, stepsAfter, warehouseVersion } from '#warehouse/store/file-version.ts';
import { snapshots, storedFile } from '#warehouse/store/snapshot-store.ts';
import { rawVersion } from '#warehouse/tables/tables.ts';
import { backupStatus } from './backup/status.ts';
import { diskSpace, megabytes, type DiskSpace } from './disk-space.ts';
import type { Finding } from './doctor-finding.ts';
import { Stopped, stoppedByFile, stoppedBySqlite } from './errors.ts';
import { folderLayout } from './folder.ts';
import { restoreIn } from './restoring.ts';
import { programVersion } from './program-version.ts';
import { rehearseMigration } from './upgrade-rehearsal.ts';
import { appStateFile, appStateLayout } from './user-data/database.ts';

interface FileVersion {
  what: 'data folder' | 'warehouse' | 'archive' | 'app.sqlite' | 'snapshot';
  file: string;
  /** Null: it cannot be read; `findings` say why. */
  version: number | null;
  /** The newest that this program knows. */
  known: number;
}

interface Migration {
  steps: number[];
  bytes: number;
  seconds: number;
  /** By a rehearsal on a copy; otherwise `copied_per_second` is assumed. */
  is_measured: boolean;
}

interface UpgradeCheck {
  program: string;
  folder: string;
  is_ready: boolean;
  files: FileVersion[];
  /** Null: the warehouse cannot be read. */
  migration: Migration | null;
  space: DiskSpace;
  backup: { made_at: string; folder: string; is_recent: boolean } | null;
  findings: Finding[];
}

/** Bytes of a warehouse that a migration copies in a second: half of what two cores and a local disk did. */
const copied_per_second = 25e6;
/** A backup before an upgrade is at most this old. */
const recent_ms = 86_400_000;

/**
 * `now` in Unix seconds. `rehearsing`: a folder elsewhere, in which the migration is made on a copy.
 * @throws Stopped if there is no such folder, or it cannot be read.
 */
export async function checkUpgrade(path: string, now: number, rehearsing?: string): Promise<UpgradeCheck> {
  assertReadable(path);
  const warehouse = join(path, 'warehouse', 'chatledger.duckdb');
  const archive = join(path, 'warehouse', 'archive.duckdb');
  const published = join(path, 'published');
  const read: ReadVersion[] = [];
  const look = async (what: FileVersion['what'], file: string, known: number, version: VersionIn): Promise<void> => {
    if (existsSync(file)) read.push(await reading(what, file, known, version));
  };
  await look('data folder', join(path, 'state.json'), folderLayout, layoutIn);
  await look('warehouse', warehouse, knownWarehouse, warehouseVersion);
  await look('archive', archive, rawVersion, archiveVersion);
  await look('app.sqlite', appStateFile(path), appStateLayout, appStateVersion);
  for (const id of await snapshots(published))
    await look('snapshot', storedFile(published, id), knownWarehouse, warehouseVersion);
  const bytes = existsSync(warehouse) ? statSync(warehouse).size : 0;
  const found = read.find(({ what }) => what === 'warehouse');
  const assumed = migrationOf(bytes, found);
  const { migration, told } = await rehearsed(
    assumed,
    rehearsing === undefined ? undefined : () => rehearseMigration(warehouse, path, rehearsing, now),
  );
  const space = diskSpace(path, warehouse);
  const { backup, finding } = backupBefore(path, now, read.length > 0);
  const findings = [
    ...restoreOf(path),
    ...read.filter(({ what }) => what !== 'snapshot').map((file) => findingOf(file, migration)),
    ...told,
    ...snapshotFindings(read.filter(({ what }) => what === 'snapshot')),
    spaceFinding(space, migration),
    finding,
  ];
  return {
    program: programVersion,
    folder: path,
    is_ready: findings.every(({ is_well }) => is_well),
    files: read.map(({ what, file, version, known }) => ({ what, file, version, known })),
    migration,
    space,
    backup,
    findings,
  };
}

interface ReadVersion extends FileVersion {
  /** Why it cannot be read. */
  problem?: string;
}

type VersionIn = (file: string) => number | Promise<number>;

function assertReadable(path: string): void {
  try {
    readdirSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new Stopped(`there is no data folder ${path}: set CHATLEDGER_DATA to the one to check`);
    if (code === 'ENOTDIR') throw new Stopped(`${path} is a file, not a data folder: set CHATLEDGER_DATA to a folder`);
    throw new Stopped(`the data folder ${path} cannot be read (${message}): run this as the user who owns it`);
  }
}

async function reading(
  what: FileVersion['what'],
  file: string,
  known: number,
  version: VersionIn,
): Promise<ReadVersion> {
  try {
    return { what, file, known, version: await version(file) };
  } catch (error) {
    if (error instanceof OlderArchive)
      return { what, file, known, version: null, problem: `${error.message}: it would be set aside` };
    const stopped = error instanceof Stopped ? error : (stoppedByFile(error) ?? stoppedBySqlite(error, file));
    const problem =
      stopped?.message ?? `${file} cannot be read (${error instanceof Error ? error.message : 'damaged'})`;
    return { what, file, known, version: null, problem };
  }
}

function layoutIn(file: string): number {
  try {
    const { layout } = JSON.parse(readFileSync(file, 'utf8')) as { layout?: unknown };
    if (typeof layout === 'number') return layout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
  }
  throw new Stopped(`${file} is damaged: restore it, or move it away to start afresh`);
}

/**
 * TRICKY: to open a file with a log, SQLite makes files beside it. Only where such a log already holds changes it is opened, otherwise the
 * number is read from the header.
 */
function appStateVersion(file: string): number {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return Number(database.prepare('pragma user_version').get()?.['user_version']);
    } finally {
      database.close();
    }
  }
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    const length = readSync(handle, header, 0, header.length, 0);
    if (length === 0) return 0;
    if (length < header.length || header.toString('latin1', 0, 15) !== 'SQLite format 3')
      throw new Stopped(`${file} is not a database of this program: restore it, or move it away to start afresh`);
  } finally {
    closeSync(handle);
  }
  return header.readUInt32BE(user_version_at);
}

/** Where the header of an SQLite file has its `user_version`. */
const user_version_at = 60;

/** Null where the version is unknown or newer; without a warehouse there is nothing to migrate. */
function migrationOf(bytes: number, warehouse: ReadVersion | undefined): UpgradeCheck['migration'] {
  if (warehouse === undefined) return { ...nothingToDo, steps: [] };
  if (warehouse.version === null || warehouse.version > warehouse.known) return null;
  const steps = stepsAfter(warehouse.version);
  if (steps.length === 0) return { ...nothingToDo, steps };
  return { steps, bytes, seconds: Math.ceil(bytes / copied_per_second), is_measured: false };
}

/** As it went on a copy; `told`: that it stands in the way, or that there was nothing to try. */
async function rehearsed(
  migration: Migration | null,
  rehearse: (() => Promise<number>) | undefined,
): Promise<{ migration: Migration | null; told: Finding[] }> {
  if (!rehearse) return { migration, told: [] };
  const what = 'rehearsal';
  if (!migration || migration.steps.length === 0)
    return { migration, told: [{ what, is_well: true, words: 'not made: there is no step of a migration to try' }] };
  try {
    const seconds = await rehearse();
    return { migration: { ...migration, seconds: Math.ceil(seconds), is_measured: true }, told: [] };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    const words = `the migration of a copy failed (${error instanceof Error ? error.message : String(error)}): keep the version that runs`;
    return { migration, told: [{ what, is_well: false, words }] };
  }
}

const nothingToDo = { bytes: 0, seconds: 0, is_measured: false };

function spaceFinding({ free_bytes, needed_bytes }: DiskSpace, migration: UpgradeCheck['migration']): Finding {
  const copy = migration !== null && migration.steps.length > 0 ? 'the copy that is migrated' : 'a pull';
  const words = `${megabytes(free_bytes)} free; ${copy} and its snapshot may need ${megabytes(needed_bytes)}`;
  const is_well = free_bytes >= needed_bytes;
  return { what: 'space', is_well, words: is_well ? words : `${words}: free some space` };
}

const newer = ({ version, known, what }: ReadVersion): string =>
  `${what === 'data folder' ? 'layout' : 'version'} ${version} was written by a newer version of the program, this one (${programVersion}) knows ${known}: ` +
  'it would refuse the folder; update the program, or restore the backup that the older program made';

function findingOf(file: ReadVersion, migration: UpgradeCheck['migration']): Finding {
  const { what, version, known, problem } = file;
  if (version === null) return { what, is_well: false, words: problem ?? `${file.file} cannot be read` };
  if (version > known) return { what, is_well: false, words: newer(file) };
  if (version === 0) return { what, is_well: true, words: 'holds nothing yet' };
  const said = `${what === 'data folder' || what === 'app.sqlite' ? 'layout' : 'version'} ${version}`;
  if (version === known) return { what, is_well: true, words: `${said}, which this program writes` };
  if (what !== 'warehouse' || migration === null)
    return { what, is_well: true, words: `${said} of ${known}; the next start brings it up to date` };
  const { steps, bytes, seconds, is_measured } = migration;
  const words =
    `${said} of ${known}; the first writer makes ${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')} on a copy: ` +
    `${is_measured ? 'as measured on a copy' : 'roughly, at an assumed 25 MB in a second'}, ${inWords(seconds)} and ${megabytes(bytes)}`;
  return { what, is_well: true, words };
}

const inWords = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

/** One line for all of a version, and one for each that cannot be read. */
function snapshotFindings(read: readonly ReadVersion[]): Finding[] {
  const what = 'snapshots';
  const versions = [...new Set(read.flatMap(({ version }) => (version === null ? [] : [version])))].sort(
    (a, b) => b - a,
  );
  const broken = read.flatMap(({ problem }) =>
    problem === undefined ? [] : [{ what, is_well: false, words: problem }],
  );
  const told = versions.map((version): Finding => {
    const alike = read.filter((each) => each.version === version);
    const [first] = alike;
    if (first && version > first.known) return { what, is_well: false, words: `${alike.length} of ${newer(first)}` };
    const older = version < knownWarehouse ? '; they stay as they are, and lack what was added since' : '';
    return { what, is_well: true, words: `${alike.length} of version ${version}${older}` };
  });
  return [...told, ...broken];
}

function restoreOf(path: string): Finding[] {
  const found = restoreIn(path);
  return found ? [{ what: 'restore', is_well: false, words: `one ${found.words}: ${found.remedy}` }] : [];
}

/** There is no way back but the backup of the older program. */
function backupBefore(
  path: string,
  now: number,
  has_data: boolean,
): { backup: UpgradeCheck['backup']; finding: Finding } {
  const what = 'backup';
  const { last, failed } = backupStatus({ path });
  const remedy = `run 'npx chatledger backup' by the version that runs`;
  const judge = (is_well: boolean, words: string, is_recent = false) => ({
    backup: last && { made_at: last.made_at, folder: last.folder, is_recent },
    finding: { what, is_well, words: is_well ? words : `${words}: ${remedy}` },
  });
  if (!has_data) return judge(true, 'there is nothing to back up yet');
  if (last === null)
    return judge(false, failed ? `none was made; at ${failed.at}: ${failed.sentence}` : 'none was made');
  const made = `the newest (${last.id}) was made at ${last.made_at} in ${last.folder}`;
  if (!existsSync(last.folder)) return judge(false, `${made}, which is not there now`);
  const is_recent = now * 1000 - Date.parse(last.made_at) <= recent_ms;
  return judge(is_recent, is_recent ? made : `${made}, more than a day ago`, is_recent);
}
