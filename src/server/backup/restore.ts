// Puts a backup into a data folder: whole or not at all, also after a kill.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { link, open, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isOpenElsewhere } from '#warehouse/engines/open-elsewhere.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { lockFolder } from '../folder-lock.ts';
import { restoreLock, restoring } from '../restoring.ts';
import type { Manifest, StoredFile } from './manifest.ts';
import { WrongPiece, type Repository } from './repository.ts';
import { statusName } from './status.ts';

const ready = 'ready.json';
const asideName = /^replaced-\d{8}T\d{6}Z(-\d+)?$/;

export interface Restored {
  backup: Manifest;
  /** Where what was there before lies now; null: there was nothing. */
  aside: string | null;
}

interface Restoring {
  /** The data folder. */
  folder: string;
  repository: Repository;
  backup: Manifest;
  /** What is there is set aside instead of refusing. */
  is_replacing: boolean;
  now: Date;
  onProgress: (bytes: number, total: number) => void;
}

/** @throws Stopped; then everything in the data folder is as it was, also if another restore goes on there. */
export async function restoreBackup(given: Restoring): Promise<Restored> {
  const { folder, backup, is_replacing } = given;
  if (contentOf(folder).length > 0 && !is_replacing)
    throw new Stopped(
      `${folder} is not empty: name another by CHATLEDGER_DATA, or add --replace, which sets aside what is there`,
    );
  assertUnused(folder);
  mkdirSync(join(folder, restoring), { recursive: true, mode: 0o700 });
  const unlock = lockFolder(restoreLock(folder), folder);
  try {
    return { backup, aside: await stageAndPlace(given) };
  } finally {
    unlock();
  }
}

/** Where what was there before lies now; null: there was nothing. */
async function stageAndPlace(given: Restoring): Promise<string | null> {
  const { folder, backup, now } = given;
  const staging = join(folder, restoring);
  for (const name of readdirSync(staging))
    if (name !== basename(restoreLock(folder))) rmSync(join(staging, name), { recursive: true });
  try {
    await writeAll(given, join(staging, 'data'));
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (error instanceof WrongPiece)
      throw new Stopped(
        `${error.message}: backup ${backup.id} cannot be restored; nothing was changed`,
        exitCodes.failed,
      );
    throw error;
  }
  const aside = contentOf(folder).length > 0 ? freeAside(folder, now) : null;
  writeFileSync(join(staging, `${ready}.new`), JSON.stringify({ aside }), { mode: 0o600, flush: true });
  renameSync(join(staging, `${ready}.new`), join(staging, ready));
  place(folder, aside);
  return aside === null ? null : join(folder, aside);
}

/**
 * Ends a restore that a kill has cut off after everything was written. What was cut off earlier is removed. @throws Stopped if a restore
 * goes on.
 */
export function endRestore(folder: string): { aside: string | null } | undefined {
  const staging = join(folder, restoring);
  if (!existsSync(staging)) return undefined;
  const unlock = lockFolder(restoreLock(folder), folder);
  try {
    if (!existsSync(join(staging, ready))) {
      rmSync(staging, { recursive: true, force: true });
      return undefined;
    }
    const known = z.object({ aside: z.string().regex(asideName).nullable() });
    const { aside } = known.parse(JSON.parse(readFileSync(join(staging, ready), 'utf8')));
    place(folder, aside);
    return { aside: aside === null ? null : join(folder, aside) };
  } finally {
    unlock();
  }
}

/** What belongs to an installation: neither copies set aside by earlier restores nor how backups went. */
const contentOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder).filter(
        (name) => ![restoring, statusName, 'lost+found'].includes(name) && !asideName.test(name),
      )
    : [];

/** As far as the system tells. @throws Stopped */
function assertUnused(folder: string): void {
  const used = ['app.sqlite', 'warehouse/archive.duckdb', 'published/chatledger.duckdb', 'service/service.sqlite']
    .map((name) => join(folder, name))
    .find((file) => process.platform === 'linux' && existsSync(file) && isOpenElsewhere(file));
  if (used !== undefined)
    throw new Stopped(`${used} is in use: stop the program that runs on ${folder}, then restore; nothing was changed`);
}

function freeAside(folder: string, now: Date): string {
  const stamp = `replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stamp : `${stamp}-${number}`;
    if (!existsSync(join(folder, name))) return name;
  }
}

/** Every step may have been done before. */
function place(folder: string, aside: string | null): void {
  const staged = join(folder, restoring, 'data');
  const fresh = readdirSync(staged);
  const placed = join(folder, restoring, 'placing');
  if (!existsSync(placed)) {
    if (aside !== null) {
      mkdirSync(join(folder, aside), { recursive: true, mode: 0o700 });
      for (const name of contentOf(folder)) renameSync(join(folder, name), join(folder, aside, name));
    }
    writeFileSync(placed, '', { flush: true });
  }
  for (const name of fresh) renameSync(join(staged, name), join(folder, name));
  rmSync(join(folder, restoring), { recursive: true, force: true });
}

async function writeAll({ repository, backup, onProgress }: Restoring, to: string): Promise<void> {
  const total = backup.files.reduce((sum, { bytes, same_as }) => sum + (same_as === undefined ? bytes : 0), 0);
  let done = 0;
  for (const file of backup.files) {
    const path = join(to, file.path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (file.same_as !== undefined) {
      await link(join(to, file.same_as), path);
      continue;
    }
    await writeFileOf(repository, file, path, (bytes) => onProgress((done += bytes), total));
  }
}

async function writeFileOf(
  repository: Repository,
  { bytes, changed_ms, pieces }: StoredFile,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    let length = 0;
    for (const name of pieces) {
      const piece = await repository.read(name);
      await handle.writeFile(piece);
      length += piece.length;
      onBytes(piece.length);
    }
    if (length !== bytes) throw new WrongPiece(`${path} has ${length} bytes instead of ${bytes}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await utimes(path, changed_ms / 1000, changed_ms / 1000);
}
