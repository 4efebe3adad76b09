// `chatledger export`: the published snapshot as Parquet files by table, account and month; only months that changed are written again.
import { openSnapshot, publishedAt, snapshots } from '#warehouse/store/snapshot-store.ts';
import { withAuth } from '../auth.ts';
import { assertElsewhere } from '../backup/backup.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { isBucket } from '../export/bucket.ts';
import { exportSnapshot, type Exported } from '../export/export.ts';
import { targetOf } from '../export/target.ts';
import { openFolder } from '../folder.ts';
import { endOnSignal } from '../shutdown.ts';
import { out, outJson, showProgress } from '../terminal.ts';

interface ExportOptions {
  tables?: string;
  json?: boolean;
}

export async function exportFiles(to: string, { tables, json }: ExportOptions): Promise<void> {
  endOnSignal();
  const { folder: data, questions } = readConfig();
  const folder = openFolder(data);
  const target = targetOf(to, folder.files);
  if (!isBucket(to)) assertElsewhere(folder.path, target.name);
  const id = (await snapshots(folder.published)).at(-1);
  if (id === undefined)
    throw new Stopped("nothing is published yet: run 'npx chatledger start' or 'npx chatledger pull' first");
  const began = performance.now();
  const engine = await openSnapshot(folder.published, id, { memory: questions.memory });
  try {
    const done = await exportSnapshot({
      ...{ target, engine, snapshot: { id, published_at: await publishedAt(folder.published, id) }, now: clock },
      only: tables?.split(',').map((name) => name.trim()),
      onProgress: (count, total) => showProgress(`export: ${count} of ${total} tables`, count === total),
    });
    await withAuth(({ audit }) =>
      audit.record({ action: 'file.read', about: `snapshot ${id} exported to ${target.name}` }),
    );
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    if (json) outJson({ folder: target.name, ...countsOf(done), seconds });
    else out(sentenceOf(done, target.name, seconds));
  } catch (error) {
    throw target.stoppedBy(error) ?? stoppedByFile(error) ?? error;
  } finally {
    await engine.close();
    await target.close();
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
