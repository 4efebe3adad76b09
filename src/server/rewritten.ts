// The mark that kept snapshots were written anew under their own names: whoever has one open, or keeps answers of one, lets go.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (published: string): string => join(published, 'rewritten');

/** `by`: what rewrote them, another text each time. */
export function markRewritten(published: string, by: string): void {
  writeFileSync(`${fileOf(published)}.new`, `${by}\n`, { mode: 0o600 });
  renameSync(`${fileOf(published)}.new`, fileOf(published));
}

/** Empty when none ever was. */
export function readRewritten(published: string): string {
  try {
    return readFileSync(fileOf(published), 'utf8').trim();
  } catch {
    return '';
  }
}
