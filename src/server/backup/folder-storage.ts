// Parts of backups as files of a folder.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Stopped } from '../errors.ts';
import { filesBelow, unlessGone } from '../files-below.ts';
import { lockFolder } from '../folder-lock.ts';
import { makeFolder } from '../made-folder.ts';
import { about, type Storage } from './storage.ts';

/** `lock`: of the folder, which is made unless it is read only. */
export function folderStorage(folder: string): Storage & { lock(): void } {
  const placeOf = (name: string): string => join(folder, name);
  let unlock = (): void => undefined;
  return {
    place: folder,
    whereIs: placeOf,
    has: (name) => existsSync(placeOf(name)),
    read: (name) => unlessGone(readFile(placeOf(name))),
    async write(name, bytes) {
      makeFolder(dirname(placeOf(name)));
      await writeDurably(placeOf(name), bytes);
    },
    names: async (below) =>
      (await filesBelow(placeOf(below))).map((file) => relative(folder, file).replaceAll('\\', '/')),
    async remove(name) {
      const { size } = await stat(placeOf(name));
      await rm(placeOf(name), { force: true });
      return size;
    },
    async size() {
      let sum = 0;
      for (const file of await filesBelow(folder)) sum += (await stat(file)).size;
      return sum;
    },
    finish: () => undefined,
    lock: () => void (unlock = lockFolder(placeOf('lock'))),
    close: () => unlock(),
  };
}

/** @throws Stopped unless backups can be begun in it. */
export function assertFolderFree(folder: string, is_new_allowed: boolean): void {
  if (!is_new_allowed) throw new Stopped(`${folder} is no folder of backups: it has no ${about}`);
  if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith('lost+found')))
    throw new Stopped(`${folder} is neither empty nor a folder of backups: name another`);
}

/** Under its name only when it is whole on the disk. */
async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const handle = await open(part, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}
