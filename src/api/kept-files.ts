// Kept snapshots as whole files with their checksums. One that shares its parts with others is made a file, which stays for a while.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import type { ApiDeps, SqlAsker } from './deps.ts';
import { Declined } from './errors.ts';

interface WholeFile {
  handle: FileHandle;
  /** SHA-256 of its bytes. */
  checksum: Buffer;
}

interface KeptFiles {
  /** The caller closes it. `file`: where the snapshot lies. Errors: Declined; Cancelled. */
  open(id: string, file: string, asker: SqlAsker): Promise<WholeFile>;
}

interface MadeFile {
  folder: Promise<string>;
  timer?: NodeJS.Timeout;
}

/** After its last use a file that was made stays this long, so that an interrupted download goes on within it. */
const idle_ms = 10 * 60_000;
/** They take room that the snapshots do not count. */
const most_made = 2;
const name = 'snapshot.duckdb';

export function keptFiles(deps: ApiDeps): KeptFiles {
  /** By snapshot; the longest unused first. An erasure makes other snapshots of all. */
  const made = new Map<string, MadeFile>();
  /** By path. */
  const checksums = new Map<string, Promise<Buffer>>();
  let mark = '';

  /** Downloads go on: they read through handles. */
  function forget(id: string): void {
    const entry = made.get(id);
    if (!entry) return;
    clearTimeout(entry.timer);
    made.delete(id);
    void entry.folder.then(
      (folder) => {
        checksums.delete(join(folder, name));
        return remove(folder);
      },
      () => undefined,
    );
  }
  function keep(id: string, entry: MadeFile): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => forget(id), idle_ms).unref();
    made.delete(id);
    made.set(id, entry);
    for (const [oldest] of made) if (made.size > most_made) forget(oldest);
  }
  async function wholeOf(id: string, packed: string, asker: SqlAsker): Promise<string> {
    const known = made.get(id);
    const entry = known ?? { folder: make(deps, packed, asker) };
    keep(id, entry);
    try {
      return join(await entry.folder, name);
    } catch (error) {
      if (made.get(id) === entry) forget(id);
      // The reader who asked for it first has hung up, which ended the work.
      if (known) return wholeOf(id, packed, asker);
      throw error;
    }
  }

  return {
    async open(id, file, asker) {
      const now = deps.rewritten?.() ?? '';
      if (now !== mark) {
        for (const one of [...made.keys()]) forget(one);
        checksums.clear();
        mark = now;
      }
      const path = isPacked(file) ? await wholeOf(id, file, asker) : file;
      const handle = await open(path, 'r').catch(again);
      try {
        const checksum = checksums.get(path) ?? checksumOf(handle);
        checksums.set(path, checksum);
        return { handle, checksum: await checksum };
      } catch (error) {
        checksums.delete(path);
        await handle.close();
        throw error;
      }
    },
  };
}

/** In the process of a statement, with its bounds and in its turn. */
async function make({ files, sql }: ApiDeps, packed: string, asker: SqlAsker): Promise<string> {
  if (!sql) throw new Declined('unavailable', 'this server makes no files of earlier snapshots');
  await mkdir(files, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(files, 'snapshot-'));
  try {
    const outcome = await sql.ask(
      { file: { packed, whole: join(folder, name) }, statement: 'select 1', parameters: {}, folder },
      asker,
    );
    if (outcome.kind === 'busy')
      throw new Declined('unavailable', 'too many queries are running or waiting: ask again in a while');
    if (outcome.kind === 'wrong')
      throw new Declined('unavailable', `no file could be made of this snapshot: ${outcome.message}`);
    return folder;
  } catch (error) {
    await remove(folder);
    throw error;
  }
}

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });

/** Errors: Declined. */
function again(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  throw new Declined('unavailable', 'this snapshot is just being put away: ask again');
}

async function checksumOf(file: FileHandle): Promise<Buffer> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(1024 * 1024);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest();
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
