// A folder of backups: pieces that backups share, each once, and a manifest for every backup.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { exitCodes, Stopped } from '../errors.ts';
import { filesBelow } from '../files-below.ts';
import { lockFolder } from '../folder-lock.ts';
import { manifest, type Manifest } from './manifest.ts';
import { keyDerivation, knownKey, newKey, plainSeal, WrongBytes, type Seal } from './seal.ts';

const [about, pieces, manifests, lock] = ['chatledger-backup.json', 'pieces', 'backups', 'lock'];

/** Layout of a folder of backups; one with a higher number belongs to a newer program. */
const version = 1;
const aboutShape = z.object({
  format: z.literal('chatledger-backup'),
  version: z.int(),
  encryption: keyDerivation.nullable(),
});

export interface Repository {
  readonly folder: string;
  readonly is_encrypted: boolean;
  /** Stores a piece unless it is there. Bytes written: 0 if it was. */
  store(plain: Uint8Array): Promise<{ name: string; written: number }>;
  /** @throws WrongPiece */
  read(name: string): Promise<Buffer>;
  /** Oldest first. */
  ids(): Promise<string[]>;
  /** @throws Stopped if it is not there, or not what was written. */
  backup(id: string): Promise<Manifest>;
  /** Writes the manifest and reads it back. */
  add(backup: Manifest): Promise<void>;
  /** Removes all but the newest `kept` backups, and pieces that no backup needs. */
  prune(kept: number): Promise<{ removed: string[]; freed: number }>;
  /** Bytes of everything in it. */
  size(): Promise<number>;
  /** Lets others in. */
  close(): void;
}

/** A piece that is missing, or not what was written. */
export class WrongPiece extends Error {
  override readonly name = 'WrongPiece';
}

interface Opening {
  passphrase: string | null;
  /** Makes the folder if there is nothing; otherwise it must be one of backups. */
  is_new_allowed: boolean;
  /** Nothing is written: it is not locked, and may lie on a medium that cannot be written. */
  is_read_only: boolean;
}

/** @throws Stopped */
export async function openRepository(folder: string, opening: Opening): Promise<Repository> {
  const seal = await sealOf(folder, opening);
  const unlock = opening.is_read_only ? () => undefined : lockFolder(join(folder, lock));
  return repositoryOf(folder, seal, unlock);
}

async function sealOf(folder: string, { passphrase, is_new_allowed }: Opening): Promise<Seal> {
  const file = join(folder, about);
  if (!existsSync(file)) return begin(folder, passphrase, is_new_allowed);
  const { version: found, encryption } = readAbout(file);
  if (found > version)
    throw new Stopped(
      `${folder} was written by a newer version (${found}, this program knows ${version}): update the program`,
    );
  if (!encryption) {
    if (passphrase === null) return plainSeal;
    throw new Stopped(
      `the backups in ${folder} are not encrypted: unset CHATLEDGER_BACKUP_KEY, or name another folder for encrypted ones`,
    );
  }
  if (passphrase === null)
    throw new Stopped(
      `the backups in ${folder} are encrypted: set CHATLEDGER_BACKUP_KEY or CHATLEDGER_BACKUP_KEY_FILE`,
    );
  const seal = await knownKey(passphrase, encryption);
  if (!seal) throw new Stopped(`CHATLEDGER_BACKUP_KEY is not the key of the backups in ${folder}`);
  return seal;
}

function readAbout(file: string): z.infer<typeof aboutShape> {
  try {
    return aboutShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Stopped(`${file} cannot be read (${String(error)}): restore that file, its backups need it`);
  }
}

async function begin(folder: string, passphrase: string | null, is_new_allowed: boolean): Promise<Seal> {
  if (!is_new_allowed) throw new Stopped(`${folder} is no folder of backups: it has no ${about}`);
  if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith('lost+found')))
    throw new Stopped(`${folder} is neither empty nor a folder of backups: name another`);
  const { derivation, seal } = passphrase === null ? { derivation: null, seal: plainSeal } : await newKey(passphrase);
  for (const name of ['', pieces, manifests]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ format: 'chatledger-backup', version, encryption: derivation }, null, 2);
  await writeDurably(join(folder, about), Buffer.from(`${text}\n`));
  return seal;
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

/** What the name of a manifest is sealed under. */
const manifestName = (id: string): string => `backup ${id}`;

function repositoryOf(folder: string, seal: Seal, unlock: () => void): Repository {
  const placeOf = (name: string): string => join(folder, pieces, name.slice(0, 2), name);
  const manifestOf = (id: string): string => join(folder, manifests, `${id}.backup`);
  const repository: Repository = {
    folder,
    is_encrypted: seal.is_encrypted,
    async store(plain) {
      const name = seal.nameOf(plain);
      if (existsSync(placeOf(name))) return { name, written: 0 };
      const stored = await seal.close(name, plain);
      mkdirSync(join(folder, pieces, name.slice(0, 2)), { recursive: true, mode: 0o700 });
      await writeDurably(placeOf(name), stored);
      return { name, written: stored.length };
    },
    async read(name) {
      try {
        const plain = await seal.open(name, await readFile(placeOf(name)));
        if (seal.nameOf(plain) !== name) throw new WrongBytes('its content is another');
        return plain;
      } catch (error) {
        if (error instanceof WrongBytes) throw new WrongPiece(`${placeOf(name)} is damaged (${error.message})`);
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new WrongPiece(`${placeOf(name)} is missing`);
        throw error;
      }
    },
    async ids() {
      const names = await readdir(join(folder, manifests)).catch(() => []);
      return names.flatMap((name) => (name.endsWith('.backup') ? [name.slice(0, -'.backup'.length)] : [])).sort();
    },
    async backup(id) {
      const ids = await repository.ids();
      if (!ids.includes(id))
        throw new Stopped(`there is no backup ${id} in ${folder}; there are: ${ids.join(', ') || 'none'}`);
      try {
        const plain = await seal.open(manifestName(id), await readFile(manifestOf(id)));
        const found = manifest.parse(JSON.parse(plain.toString('utf8')));
        if (found.id !== id) throw new WrongBytes(`it is that of ${found.id}`);
        return found;
      } catch (error) {
        throw new Stopped(
          `${manifestOf(id)} cannot be read (${error instanceof Error ? error.message : String(error)}): ` +
            'the other backups do not need it; remove it, or restore an older one',
          exitCodes.failed,
        );
      }
    },
    async add(backup) {
      const sealed = await seal.close(manifestName(backup.id), Buffer.from(JSON.stringify(backup)));
      await writeDurably(manifestOf(backup.id), sealed);
      await repository.backup(backup.id);
    },
    async prune(kept) {
      const ids = await repository.ids();
      const removed = ids.slice(0, Math.max(0, ids.length - kept));
      const staying = new Set<string>();
      // First of all: while one of them cannot be read, nobody knows what it needs.
      for (const id of ids.slice(removed.length))
        for (const { pieces: own } of (await repository.backup(id)).files) own.forEach((name) => staying.add(name));
      for (const id of removed) await rm(manifestOf(id), { force: true });
      let freed = 0;
      for (const file of await filesBelow(join(folder, pieces))) {
        const name = file.slice(file.lastIndexOf('/') + 1);
        if (staying.has(name)) continue;
        freed += (await stat(file)).size;
        await rm(file, { force: true });
      }
      return { removed, freed };
    },
    async size() {
      let sum = 0;
      for (const file of await filesBelow(folder)) sum += (await stat(file)).size;
      return sum;
    },
    close: unlock,
  };
  return repository;
}
