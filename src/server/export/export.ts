// Writes a snapshot as Parquet files by table, account and month to a folder or bucket, and leaves those whose rows have not changed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
import { manifestText, parseManifest, type ExportedFile, type Manifest } from './manifest.ts';
import type { ExportTarget } from './target.ts';

interface Exporting {
  target: ExportTarget;
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

/** In the staging folder: a table that was worked out, and the file that is written. */
const unfinished = { table: 'materialized.parquet.new', file: 'file.parquet.new' } as const;

/** Account ids are anything that the settings take. */
const segment = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

const pathOf = ({ table, account, month }: RowPart): string =>
  [table, ...(account === null ? [] : [segment(account)]), `${month ?? 'all'}.parquet`].join('/');

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
  const { target, engine, only } = exporting;
  const tables = selectedTables(await writtenTables(engine), only);
  const text = await target.manifest();
  const old = text === null ? await firstManifest(exporting) : parseManifest(text, target.name);
  await target.prepare();
  const unlock = await target.lock();
  try {
    return await exportTables(exporting, tables, old);
  } finally {
    await unlock();
  }
}

/** A place says what it is before the first file is there, so that one that was cut off is known again. */
async function firstManifest(exporting: Exporting): Promise<Manifest> {
  const { target } = exporting;
  await target.prepare();
  if (!(await target.isEmpty()))
    throw new Stopped(`${target.name} holds something else: name an empty place, or one to which was exported before`);
  const empty = manifestOf(exporting, []);
  await target.putManifest(manifestText(empty));
  return empty;
}

const manifestOf = ({ snapshot, now }: Exporting, files: ExportedFile[]): Manifest => ({
  ...{ format: 'chatledger-export', version: 1, snapshot: snapshot.id, published_at: snapshot.published_at },
  ...{ exported_at: new Date(now() * 1000).toISOString(), files },
});

async function exportTables(exporting: Exporting, tables: readonly WrittenTable[], old: Manifest): Promise<Exported> {
  const { target, engine, snapshot, onProgress } = exporting;
  const before = new Map(old.files.map((file) => [file.path, file]));
  const files: ExportedFile[] = [];
  const count = { written: 0, unchanged: 0, written_bytes: 0 };
  const staging = join(target.staging, unfinished.table);
  for (const [index, named] of tables.entries()) {
    await rm(staging, { force: true });
    const table = named.isView ? await materialized(engine, named, staging) : named;
    for (const part of await partsOf(engine, table)) {
      const path = pathOf(part);
      const known = before.get(path);
      const isThere = known?.fingerprint === part.fingerprint && known.rows === part.rows;
      if (isThere && (await target.sizeOf(path)) === known.bytes) {
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
  await target.putManifest(manifestText(manifest));
  const named = new Set(files.map(({ path }) => path));
  const gone = [...before.keys()].filter((path) => !named.has(path));
  for (const path of gone) await target.remove(path);
  return { manifest, ...count, removed: gone.length };
}

function selectedTables(all: readonly WrittenTable[], only: readonly string[] | undefined): readonly WrittenTable[] {
  const names = all.map(({ name }) => name);
  const strange = only?.find((name) => !names.includes(name));
  if (strange !== undefined) throw new Stopped(`there is no table ${strange}; choose from ${names.join(', ')}`);
  return only ? all.filter(({ name }) => only.includes(name)) : all;
}

async function writeFile(
  { engine, target }: Exporting,
  table: WrittenTable,
  part: RowPart,
  path: string,
): Promise<Pick<ExportedFile, 'bytes' | 'sha256'>> {
  const file = join(target.staging, unfinished.file);
  await rm(file, { force: true });
  await writePart(engine, table, part, file);
  const [sha256, { size: bytes }] = [await checksumOf(file), await stat(file)];
  await target.put(path, file);
  return { bytes, sha256 };
}
