// Keeps the data folder private to the user who runs the program, since it holds chats, keys and secrets. Finds files that others could
// read.
import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';

export interface Privacy {
  /** Paths that others could read or change before. */
  corrected: readonly string[];
  /** Paths that others can still read, with the reason. */
  left: readonly { path: string; reason: string }[];
}

/** What this program creates in the data folder; everything else is left alone. */
const ours = /^(warehouse|published|service|digests|erase|files|state\.json(\..+)?|app\.sqlite(-.+)?)$/;

const for_others = 0o077;

/** Folders get 0700 and files 0600; links are left as they are. On systems without such modes (Windows) nothing is found. */
export function keepPrivate(folder: string): Privacy {
  const corrected: string[] = [];
  const left: { path: string; reason: string }[] = [];
  if (process.platform === 'win32') return { corrected, left };
  const close = (path: string, mode: number): void => {
    if ((mode & for_others) === 0) return;
    try {
      chmodSync(path, mode & 0o700);
      corrected.push(path);
    } catch (error) {
      if (!isGone(error)) left.push({ path, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  const look = (path: string): void => {
    try {
      const found = lstatSync(path);
      if (found.isSymbolicLink()) return;
      close(path, found.mode & 0o777);
      if (found.isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
    } catch (error) {
      if (!isGone(error)) left.push({ path, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  const { mode } = statSync(folder);
  if (!isOfMore(folder, mode)) close(folder, mode & 0o777);
  for (const name of readdirSync(folder)) if (ours.test(name)) look(join(folder, name));
  return { corrected, left };
}

/** Another process, such as a pull, moves and removes files meanwhile. */
const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** A home, working or world-writable folder: restricting it would also restrict files of other programs. */
function isOfMore(folder: string, mode: number): boolean {
  const holds = (other: string): boolean => !relative(resolve(folder), resolve(other)).startsWith('..');
  return (mode & 0o1000) !== 0 || holds(homedir()) || holds(process.cwd());
}

/** One sentence for what was corrected and one for what could not be; none if nothing was found. */
export function sentencesOf({ corrected, left }: Privacy): string[] {
  const [one] = corrected;
  const [other] = left;
  const many = (paths: readonly unknown[]): string => (paths.length > 1 ? ` and ${paths.length - 1} more` : '');
  return [
    ...(one === undefined
      ? []
      : [`${one}${many(corrected)} could be read by other users of this machine: now only by this one`]),
    ...(other === undefined
      ? []
      : [
          `${other.path}${many(left)} can be read by other users of this machine, and that cannot be corrected ` +
            `(${other.reason}): run 'chmod go=' on it as its owner`,
        ]),
  ];
}
