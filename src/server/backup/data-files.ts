// The files of a data folder that a backup holds, and how each is read.
import { basename, relative } from 'node:path';
import { results_folder } from '#digests/kept-results.ts';
import { isLeftover } from '../erase/leftovers.ts';
import { filesBelow } from '../files-below.ts';

/**
 * `sqlite`: copied by SQLite, for others write to it; `writer`: at rest while the writer's lock is held; `still`: never written again, only
 * replaced as a whole, by whoever has that lock, or, `settings.json` and
 * `logo.png`, in one step.
 */
type ReadAs = 'sqlite' | 'writer' | 'still';

export interface DataFile {
  /** Below the data folder, with `/`. */
  path: string;
  read_as: ReadAs;
}

const kinds: readonly (readonly [path: RegExp, read_as: ReadAs])[] = [
  [/^(app|service\/service)\.sqlite$/, 'sqlite'],
  [/^warehouse\/((chatledger|archive)\.duckdb|chatledger\.duckdb\.unpublished|closed\.json)$/, 'writer'],
  [/^((state|settings)\.json$|logo\.png$|published\/|digests\/)/, 'still'],
];

/** What is made again when it is wanted. */
const isMadeAgain = (path: string): boolean => path.startsWith(`digests/${results_folder}/`);

/** Of everything else nothing is kept: what is under way, was set aside, or is not of this program. */
export async function dataFiles(folder: string): Promise<DataFile[]> {
  const found: DataFile[] = [];
  for (const file of await filesBelow(folder)) {
    const path = relative(folder, file).replaceAll('\\', '/');
    const [, read_as] = kinds.find(([pattern]) => pattern.test(path)) ?? [];
    if (read_as !== undefined && !isMadeAgain(path) && !isLeftover(basename(file))) found.push({ path, read_as });
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}
