// The folder in which a restore prepares what it puts into a data folder, and whether one goes on there or was cut off.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holderIn, isHeld } from './folder-lock.ts';

/** In the data folder. */
export const restoring = 'restoring';

/** Of the restore that goes on. */
export const restoreLock = (path: string): string => join(path, restoring, 'lock');

/** Why the data folder cannot be used, and what to do; undefined: nothing is restored there. */
export function restoreIn(path: string): { words: string; remedy: string } | undefined {
  if (!existsSync(join(path, restoring))) return undefined;
  const lock = restoreLock(path);
  const text = existsSync(lock) ? readFileSync(lock, 'utf8') : undefined;
  if (text === undefined || !isHeld(text))
    return { words: 'was cut off', remedy: `run 'npx chatledger restore' again, or remove ${join(path, restoring)}` };
  const who = holderIn(text);
  return {
    words: who ? `is going on (process ${who.pid} of ${who.host})` : 'is going on',
    remedy: `wait until it is done; if there is no such process, remove ${lock}`,
  };
}
