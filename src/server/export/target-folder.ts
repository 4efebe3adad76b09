// A folder that takes exported files.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { exitCodes, Stopped } from '../errors.ts';
import { unlessGone } from '../files-below.ts';
import { lockFolder } from '../folder-lock.ts';
import { makeFolder } from '../made-folder.ts';
import { isAddressOfHost } from '../setting-values.ts';
import { manifestFile } from './manifest.ts';
import type { ExportTarget } from './target.ts';

/** @throws Stopped if it is an address. */
export function openTargetFolder(to: string): ExportTarget {
  if (isAddressOfHost(to))
    throw new Stopped(
      `${to} is an address: files go to a folder, which may be one that is mounted here, or to s3://BUCKET/PREFIX`,
    );
  const folder = resolve(to);
  const at = (path: string): string => join(folder, path);
  return {
    name: folder,
    // On the same disk, so that a finished file takes its place at once.
    staging: folder,
    // Only its owner may read a new one.
    prepare: () => Promise.try(() => makeFolder(folder)),
    manifest: async () => (await unlessGone(readFile(at(manifestFile), 'utf8'))) ?? null,
    isEmpty: async () => (await readdir(folder)).length === 0,
    sizeOf: async (path) => (await unlessGone(stat(at(path))))?.size,
    async put(path, finished) {
      await mkdir(dirname(at(path)), { recursive: true });
      await rename(finished, at(path));
    },
    async putManifest(text) {
      await writeFile(at(`${manifestFile}.new`), text);
      await rename(at(`${manifestFile}.new`), at(manifestFile));
    },
    remove: (path) => rm(at(path), { force: true }),
    lock() {
      const unlock = lockFolder(at('lock'));
      return Promise.resolve(() => Promise.resolve(unlock()));
    },
    stoppedBy(error) {
      const { code, message, path = '' } = error as NodeJS.ErrnoException;
      const isOfFolder =
        /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR)$/.test(code ?? '') ||
        (/^(EEXIST|ENOENT)$/.test(code ?? '') && path !== '' && folder.startsWith(path)) ||
        /No space left|Permission denied/i.test(message);
      return isOfFolder
        ? new Stopped(
            `${folder} cannot be written (${message}): free some space there, or name another folder`,
            exitCodes.failed,
          )
        : undefined;
    },
    close: () => Promise.resolve(),
  };
}
