// The marker that stored snapshots were rewritten under their own names: processes that have one open or cached must release it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markAfter, type Rewriting } from '#warehouse/rewrite-marks.ts';
import { replaceFile } from './replace-file.ts';

const fileOf = (published: string): string => join(published, 'rewritten');

/** Another text for each rewriting. */
export function markSnapshotsRewritten(published: string, by: Rewriting): void {
  replaceFile(fileOf(published), `${markAfter(readRewriteMarker(published), by)}\n`, { mode: 0o600 });
}

/** Empty when none ever was. */
export function readRewriteMarker(published: string): string {
  try {
    return readFileSync(fileOf(published), 'utf8').trim();
  } catch {
    return '';
  }
}
