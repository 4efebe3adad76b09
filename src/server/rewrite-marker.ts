// The marker that stored snapshots were rewritten under their own names: processes that have one open or cached must release it.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (published: string): string => join(published, 'rewritten');

/** `by`: what rewrote them, another text each time. */
export function markSnapshotsRewritten(published: string, by: string): void {
  writeFileSync(`${fileOf(published)}.new`, `${by}\n`, { mode: 0o600 });
  renameSync(`${fileOf(published)}.new`, fileOf(published));
}

/** Empty when none ever was. */
export function readRewriteMarker(published: string): string {
  try {
    return readFileSync(fileOf(published), 'utf8').trim();
  } catch {
    return '';
  }
}
