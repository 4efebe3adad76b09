// The files by which a backup asks a pull to rest and the pull answers: they lie beside the writer's files, and each is written by one of
// the two.
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Folder } from '../folder.ts';

/**
 * Of the backup: `wanted`, written again each second, and `copied`. Of the pull: `heard`, `resting`, which names this rest, and `rested`,
 * which names it once more: it lasted from the one to the other.
 */
type Step = 'wanted' | 'copied' | 'heard' | 'resting' | 'rested';

type Place = Pick<Folder, 'raw'>;

const fileOf = ({ raw }: Place, id: string, step: Step): string => join(dirname(raw), `${id}.${step}`);

export const isSaid = (folder: Place, id: string, step: Step): boolean => existsSync(fileOf(folder, id, step));

/** Undefined: it was not said. */
export function whatIsSaid(folder: Place, id: string, step: Step): string | undefined {
  try {
    return readFileSync(fileOf(folder, id, step), 'utf8');
  } catch {
    return undefined;
  }
}

/** Nobody finds half of it. Whoever forgets it at the same moment wins. A backup may be another user's: whoever may look into the folder reads it. */
export function sayStep(folder: Place, id: string, step: Step, text = ''): void {
  const file = fileOf(folder, id, step);
  try {
    writeFileSync(`${file}.new`, text);
    chmodSync(`${file}.new`, 0o644);
    renameSync(`${file}.new`, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const name = /^(rest-[0-9a-f]+)\./;

/** Of everybody who asks or has asked. */
export function restIds(folder: Place): string[] {
  const names = readdirSync(dirname(folder.raw)).map((each) => name.exec(each)?.[1]);
  return [...new Set(names.filter((id) => id !== undefined))];
}

export function forgetRest(folder: Place, id: string): void {
  const place = dirname(folder.raw);
  for (const each of readdirSync(place)) if (name.exec(each)?.[1] === id) rmSync(join(place, each), { force: true });
}
