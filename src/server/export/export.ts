// Writes a snapshot as Parquet files by table, account and month to a folder, and leaves those whose rows have not changed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '#warehouse/engine.ts';
import {
  materialized,
  partsOf,
  writePart,
  writtenTables,
  type RowPart,
  type WrittenTable,
} from '#warehouse/read/monthly-rows.ts';
import { Stopped } from '../errors.ts';
import { unlessGone } from '../files-below.ts';
import { lockFolder } from '../folder-lock.ts';
import { readManifest, writeManifest, type ExportedFile, type Manifest } from './manifest.ts';

interface Exporting {
  folder: string;
  /** Open for reading. */
  engine: Engine;
  snapshot: { id: string; published_at: string };
  /** Tables with their schemas; undefined: all. */
  only: readonly string[] | undefined;
  /** Unix seconds. */
  now: () => number;
  onProgress: (done: number, total: number) => void;
}

export interface Exported {
  manifest: Manifest;
  /** Files. */
  written: number;
  unchanged: number;
  removed: number;
  written_bytes: number;
}

const lock = 'lock';

/** Account ids are anything that the settings take. */
const segment = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

const pathOf = ({ table, account, month }: RowPart): string =>
  [table, ...(account === null ? [] : [segment(account)]), `${month ?? 'all'}.parquet`].join('/');

const sizeOf = async (path: string): Promise<number | undefined> => (await unlessGone(stat(path)))?.size;

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * Files are replaced one by one, and the manifest last: whoever reads meanwhile finds files of both snapshots, and whoever is cut off goes on
 * where it ended. Files that the manifest does not name stay as they are. @throws Stopped; Cancelled
 */
export async function exportSnapshot(exporting: Exporting): Promise<Exported> {
  const { folder, engine, only } = exporting;
  const tables = selectedTables(await writtenTables(engine), only);
  const old = readManifest(folder) ?? (await firstManifest(exporting));
  const unlock = lockFolder(join(folder, lock));
  try {
    return await exportTables(exporting, tables, old);
  } finally {
    unlock();
  }
}

/** A folder says what it is before the first file is there, so that one that was cut off is known again. Only its owner may read a new one. */
async function firstManifest(exporting: Exporting): Promise<Manifest> {
  const { folder } = exporting;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Stopped(`${folder} holds something else: name an empty folder, or one to which was exported before`);
  const empty = manifestOf(exporting, []);
  writeManifest(folder, empty);
  return empty;
}

const manifestOf = ({ snapshot, now }: Exporting, files: ExportedFile[]): Manifest => ({
  ...{ format: 'chatledger-export', version: 1, snapshot: snapshot.id, published_at: snapshot.published_at },
  ...{ exported_at: new Date(now() * 1000).toISOString(), files },
});

async function exportTables(exporting: Exporting, tables: readonly WrittenTable[], old: Manifest): Promise<Exported> {
  const { folder, engine, snapshot, onProgress } = exporting;
  const before = new Map(old.files.map((file) => [file.path, file]));
  const files: ExportedFile[] = [];
  const count = { written: 0, unchanged: 0, written_bytes: 0 };
  const staging = join(folder, 'materialized.parquet.new');
  for (const [index, named] of tables.entries()) {
    await rm(staging, { force: true });
    const table = named.isView ? await materialized(engine, named, staging) : named;
    for (const part of await partsOf(engine, table)) {
      const path = pathOf(part);
      const known = before.get(path);
      const isThere = known?.fingerprint === part.fingerprint && known.rows === part.rows;
      if (isThere && (await sizeOf(join(folder, path))) === known.bytes) {
        files.push(known);
        count.unchanged += 1;
        continue;
      }
      const file = { ...part, path, ...(await writeFile(exporting, table, part, path)), snapshot: snapshot.id };
      files.push(file);
      count.written += 1;
      count.written_bytes += file.bytes;
    }
    onProgress(index + 1, tables.length);
  }
  await rm(staging, { force: true });
  const manifest = manifestOf(exporting, files);
  writeManifest(folder, manifest);
  const named = new Set(files.map(({ path }) => path));
  const gone = [...before.keys()].filter((path) => !named.has(path));
  for (const path of gone) await rm(join(folder, path), { force: true });
  return { manifest, ...count, removed: gone.length };
}

function selectedTables(all: readonly WrittenTable[], only: readonly string[] | undefined): readonly WrittenTable[] {
  const names = all.map(({ name }) => name);
  const strange = only?.find((name) => !names.includes(name));
  if (strange !== undefined) throw new Stopped(`there is no table ${strange}; choose from ${names.join(', ')}`);
  return only ? all.filter(({ name }) => only.includes(name)) : all;
}

async function writeFile(
  { engine, folder }: Exporting,
  table: WrittenTable,
  part: RowPart,
  path: string,
): Promise<Pick<ExportedFile, 'bytes' | 'sha256'>> {
  const file = join(folder, path);
  const unfinished = `${file}.new`;
  await mkdir(dirname(file), { recursive: true });
  await rm(unfinished, { force: true });
  await writePart(engine, table, part, unfinished);
  const sha256 = await checksumOf(unfinished);
  await rename(unfinished, file);
  return { bytes: (await sizeOf(file)) ?? 0, sha256 };
}
