// Results of saved queries that went into documents, as files: whoever makes a document again finds what it said. An erasure removes all
// of them; then the statement is run again, on the snapshot without the person.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { QueryOutcome } from './saved-queries.ts';

/** Below the folder of digests, none of which begins so. */
export const results_folder = '_queries';

export interface KeptResults {
  /** What `run` answered at the first time; `of`: everything that the answer depends on. A busy one is not kept. */
  once(of: readonly unknown[], run: () => Promise<QueryOutcome>): Promise<QueryOutcome>;
}

const [packed, unpacked] = [promisify(gzip), promisify(gunzip)];

/** `folder`: of the digests, an absolute path. */
export const keptResults = (folder: string): KeptResults => ({
  async once(of, run) {
    const below = join(folder, results_folder);
    const path = join(below, `${createHash('sha256').update(JSON.stringify(of)).digest('hex')}.json.gz`);
    const before = await readKept(path);
    if (before) return before;
    await mkdir(below, { recursive: true, mode: 0o700 });
    const outcome = await run();
    if (outcome.kind === 'busy') return outcome;
    const fresh = `${path}.${process.pid}.new`;
    // TRICKY: the folder is not made again: where an erasure has removed it meanwhile, this may be of the snapshot before.
    await packed(JSON.stringify(outcome))
      .then((bytes) => writeFile(fresh, bytes, { mode: 0o600 }))
      .then(() => rename(fresh, path))
      .catch(ignoreMissing);
    return outcome;
  },
});

/** Undefined where there is none, or where its file is damaged: then the statement is run again. Errors: of a file that cannot be read. */
async function readKept(path: string): Promise<QueryOutcome | undefined> {
  const bytes = await readFile(path).catch(ignoreMissing);
  if (!bytes) return undefined;
  try {
    return JSON.parse((await unpacked(bytes)).toString()) as QueryOutcome;
  } catch {
    return undefined;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Those from before `until`, milliseconds since 1970. */
export async function forgetResults(folder: string, until: number): Promise<void> {
  const below = join(folder, results_folder);
  for (const name of (await readdir(below).catch(ignoreMissing)) ?? []) {
    const found = await stat(join(below, name)).catch(ignoreMissing);
    if (found && found.mtimeMs < until) await rm(join(below, name), { force: true });
  }
}
