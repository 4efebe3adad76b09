// `chatledger export`: the published snapshot as Parquet files by table, account and month; only months that changed are written again.
import { resolve } from 'node:path';
import { openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';
import { instantOf } from '#warehouse/store/snapshot-store.ts';
import { withAuth } from '../auth.ts';
import { assertElsewhere } from '../backup/backup.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { exportSnapshot, type Exported } from '../export/export.ts';
import { openFolder } from '../folder.ts';
import { isAddressOfHost } from '../setting-values.ts';
import { endOnSignal } from '../shutdown.ts';
import { out, outJson, showProgress } from '../terminal.ts';

interface ExportOptions {
  tables?: string;
  json?: boolean;
}

export async function exportFiles(to: string, { tables, json }: ExportOptions): Promise<void> {
  endOnSignal();
  if (isAddressOfHost(to))
    throw new Stopped(`${to} is an address: files go to a folder, which may be one that is mounted here`);
  const { folder: data, query_memory } = readConfig();
  const folder = openFolder(data);
  const target = resolve(to);
  assertElsewhere(folder.path, target);
  const id = (await snapshots(folder.published)).at(-1);
  if (id === undefined)
    throw new Stopped("nothing is published yet: run 'npx chatledger start' or 'npx chatledger pull' first");
  const began = performance.now();
  const engine = await openSnapshot(folder.published, id, { memory: `${Math.ceil(query_memory / 1e6)}MB` });
  try {
    const done = await exportSnapshot({
      ...{ folder: target, engine, snapshot: { id, published_at: instantOf(id) }, now: clock },
      only: tables?.split(',').map((name) => name.trim()),
      onProgress: (count, total) => showProgress(`export: ${count} of ${total} tables`, count === total),
    });
    await withAuth(({ audit }) => audit.record({ action: 'file.read', about: `snapshot ${id} exported to ${target}` }));
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    if (json) outJson({ folder: target, ...countsOf(done), seconds });
    else out(sentenceOf(done, target, seconds));
  } catch (error) {
    throw stoppedOf(error, target) ?? error;
  } finally {
    await engine.close();
  }
}

const countsOf = ({ manifest, ...counts }: Exported) => ({
  ...{ snapshot: manifest.snapshot, files: manifest.files.length, ...counts },
});

const sentenceOf = (
  { manifest, written, unchanged, removed, written_bytes }: Exported,
  to: string,
  seconds: number,
): string =>
  `snapshot ${manifest.snapshot} is in ${to}: ${manifest.files.length} files, ${written} of them written (${(written_bytes / 1e6).toFixed(1)} MB), ` +
  `${unchanged} unchanged${removed > 0 ? `, ${removed} removed` : ''}, in ${seconds} s`;

function stoppedOf(error: unknown, target: string): Stopped | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (
    /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR)$/.test(code ?? '') ||
    /No space left|Permission denied/i.test(message)
  )
    return new Stopped(
      `${target} cannot be written (${message}): free some space there, or name another folder`,
      exitCodes.failed,
    );
  return stoppedByFile(error);
}
