// Makes one backup of the data folder while everything else goes on; only pulls rest for it.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { backup as copySqlite, DatabaseSync } from 'node:sqlite';
import { snapshots } from '#warehouse/store/snapshot-store.ts';
import { exitCodes, Stopped } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { withQuietWriter, type QuietWait } from './quiet-writer.ts';
import { dataFiles, type DataFile } from './data-files.ts';
import { bytesOf, type Manifest, type StoredFile } from './manifest.ts';
import type { Repository } from './repository.ts';

export interface MadeBackup {
  id: string;
  made_at: string;
  files: number;
  /** Of the data folder. */
  bytes: number;
  /** What the folder of backups grew by, or what the file holds. */
  written: number;
  /** Pieces that were written, then read and compared. */
  pieces_checked: number;
}

interface Making {
  folder: Folder;
  repository: Repository;
  /** Unix seconds. */
  now: () => number;
  program: string;
  /** How long to wait for whoever writes. */
  wait: QuietWait;
  onProgress: (bytes: number, total: number) => void;
}

/** Whole blocks of the engine's files, so that one that is written anew costs one piece. */
const piece_bytes = 1024 * 1024;

/** @throws Stopped where nothing of it would survive the data folder. */
export function assertElsewhere(data: string, place: string): void {
  if (isWithin(data, place) || isWithin(place, data))
    throw new Stopped(
      `${place} and the data folder ${data} lie one in the other: name a place elsewhere, on another disk`,
    );
}

function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Everything is read while pulls go on, and what was written since once more while they rest. What is read is stored, read back and
 * compared, and only then is there a backup. Errors: BusyWarehouse, Stopped, WrongPiece.
 */
export async function makeBackup(making: Making): Promise<MadeBackup> {
  const { folder, repository, wait } = making;
  const there = await dataFiles(folder.path);
  const reader = readerOf(making, bytesIn(folder, there));
  // TRICKY: no database may be open here yet: closing its file lets go all locks that this process has on it.
  for (const file of there) await reader.ahead(file);
  const manifest = await withQuietWriter(folder, wait, (handleOf) => held(making, reader, handleOf));
  for (const name of reader.fresh) await repository.read(name);
  await repository.add(manifest);
  const { id, made_at, files } = manifest;
  const checked = reader.fresh.size;
  return {
    id,
    made_at,
    files: files.length,
    bytes: bytesOf(manifest),
    written: reader.written(),
    pieces_checked: checked,
  };
}

/** Nothing is published, loaded or erased meanwhile. */
async function held(
  { folder, repository, now, program }: Making,
  reader: Reader,
  handleOf: (file: string) => FileHandle | undefined,
): Promise<Manifest> {
  const made_at = new Date(now() * 1000);
  // What people keep first: a digest pins a snapshot that is there already.
  const all = await dataFiles(folder.path);
  const files: StoredFile[] = [];
  for (const file of all.filter(({ read_as }) => read_as === 'sqlite')) files.push(await reader.database(file));
  const names = new Map<string, string>();
  for (const file of all.filter(({ read_as }) => read_as !== 'sqlite')) {
    const { dev, ino, nlink } = statSync(join(folder.path, file.path));
    const first = names.get(`${dev} ${ino}`);
    const stored = await reader.file(file, handleOf(join(folder.path, file.path)));
    files.push(first === undefined ? stored : { ...stored, same_as: first });
    if (nlink > 1 && first === undefined) names.set(`${dev} ${ino}`, file.path);
  }
  return {
    id: await freeId(repository, made_at),
    made_at: made_at.toISOString(),
    program,
    layout: folder.state.layout,
    snapshot: (await snapshots(folder.published)).at(-1) ?? null,
    files,
  };
}

/** After all others, also where the clock was ahead when those were made: the newest is restored, and stays. */
async function freeId(repository: Repository, made_at: Date): Promise<string> {
  const stamp = made_at.toISOString().replace(/[-:]|\.\d+/g, '');
  const newest = (await repository.ids()).findLast((id) => /^\d{8}T\d{6}Z(-\d+)?$/.test(id)) ?? '';
  const [at = '', number = '1'] = newest.split('-');
  return at < stamp ? stamp : `${at}-${Number(number) + 1}`;
}

interface Reader {
  /** Names of the pieces written by it. */
  readonly fresh: ReadonlySet<string>;
  written(): number;
  /** Stores what is there now, which may not be whole; then `file` has less to do. */
  ahead(file: DataFile): Promise<void>;
  file(file: DataFile, handle: FileHandle | undefined): Promise<StoredFile>;
  database(file: DataFile): Promise<StoredFile>;
}

/** Without what has gone since. */
const bytesIn = (folder: Folder, files: readonly DataFile[]): number =>
  files.reduce((sum, { path }) => sum + (statSync(join(folder.path, path), { throwIfNoEntry: false })?.size ?? 0), 0);

/** A database is copied in one step: in several, it would begin again whenever somebody has written. */
const all_pages = 2 ** 30;

/** `total`: bytes to be read, about. */
function readerOf({ folder, repository, onProgress }: Making, total: number): Reader {
  const fresh = new Set<string>();
  const before = new Map<string, { state: string; stored: StoredFile }>();
  let [written, done] = [0, 0];
  const store = async (path: string, handle: FileHandle): Promise<StoredFile> => {
    const { mtimeMs } = await handle.stat();
    const buffer = Buffer.allocUnsafe(piece_bytes);
    const pieces: string[] = [];
    let bytes = 0;
    for (;;) {
      const length = await fill(handle, buffer, bytes);
      if (length === 0) break;
      const piece = await repository.store(buffer.subarray(0, length));
      pieces.push(piece.name);
      if (piece.written > 0) fresh.add(piece.name);
      [written, done, bytes] = [written + piece.written, done + length, bytes + length];
      onProgress(Math.min(done, total), total);
      if (length < piece_bytes) break;
    }
    return { path, bytes, changed_ms: mtimeMs, pieces };
  };
  const opened = async (path: string, file = join(folder.path, path)): Promise<StoredFile> => {
    const handle = await open(file, 'r');
    try {
      return await store(path, handle);
    } finally {
      await handle.close();
    }
  };
  return {
    fresh,
    written: () => written,
    async ahead({ path }) {
      try {
        const state = stateOf(join(folder.path, path));
        before.set(path, { state, stored: await opened(path) });
      } catch (error) {
        // It may go while it is read: it is looked for again.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
    async file({ path, read_as }, handle) {
      const known = before.get(path);
      if (read_as === 'still' && known?.state === stateOf(join(folder.path, path))) return known.stored;
      return handle ? store(path, handle) : opened(path);
    },
    async database({ path }) {
      const database = new DatabaseSync(join(folder.path, path), { readOnly: true });
      const copied = async (file: string): Promise<StoredFile> => {
        await copySqlite(database, file, { rate: all_pages });
        return opened(path, file);
      };
      const name = path.replaceAll('/', '-');
      try {
        return await within(folder.files, (place) => copied(join(place, name)));
      } catch (error) {
        if (uncopied(error, path, folder) === undefined) throw error;
        // A full disk is why: the temporary folder is on another one, perhaps.
        return await withTemporary((place) => copied(join(place, name))).catch(() => {
          throw uncopied(error, path, folder) ?? error;
        });
      } finally {
        database.close();
      }
    },
  };
}

/** A folder that is made for the work, and removed after it. */
async function within<T>(place: string, work: (place: string) => Promise<T>): Promise<T> {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    return await work(place);
  } finally {
    if (existsSync(place)) rmSync(place, { recursive: true, force: true });
  }
}

const withTemporary = async <T>(work: (place: string) => Promise<T>): Promise<T> =>
  within(mkdtempSync(join(tmpdir(), 'chatledger-backup-')), work);

/** Undefined: nothing that more room would mend. */
const uncopied = (error: unknown, path: string, folder: Folder): Stopped | undefined =>
  error instanceof Error && /^(ERR_SQLITE_ERROR|ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')
    ? new Stopped(
        `${path} cannot be copied within ${folder.path} (${error.message}), nor in ${tmpdir()}, which a backup begins with: free some space on that disk, or make it writable`,
        exitCodes.failed,
      )
    : undefined;

async function fill(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Another one when the file was written or replaced. */
function stateOf(file: string): string {
  const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true });
  return [dev, ino, size, mtimeNs].join(' ');
}
