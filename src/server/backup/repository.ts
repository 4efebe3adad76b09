// Backups in one place: pieces, each once, and a manifest for every backup.
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { exitCodes, Stopped } from '../errors.ts';
import { assertFolderFree, folderStorage } from './folder-storage.ts';
import { manifest, type Manifest } from './manifest.ts';
import { isFilePlace } from './place.ts';
import { keyDerivation, knownKey, newKey, plainSeal, WrongBytes, type Seal } from './seal.ts';
import { about, manifests, pieces, writingTo, type Storage } from './storage.ts';
import { newTar, openTar } from './tar-storage.ts';

/** Layout of the place; one with a higher number belongs to a newer program. */
const version = 1;
const aboutShape = z.object({
  format: z.literal('chatledger-backup'),
  version: z.int(),
  encryption: keyDerivation.nullable(),
});

export interface Repository {
  /** A folder of backups, or a file of one. */
  readonly place: string;
  readonly is_encrypted: boolean;
  /** Stores a piece unless it is there and can be read. Bytes written: 0 if it was. */
  store(plain: Uint8Array): Promise<{ name: string; written: number }>;
  /** @throws WrongPiece */
  read(name: string): Promise<Buffer>;
  /** Oldest first. */
  ids(): Promise<string[]>;
  /** @throws Stopped if it is not there, or not what was written. */
  backup(id: string): Promise<Manifest>;
  /** Writes the manifest and reads it back; then a file has its name. */
  add(backup: Manifest): Promise<void>;
  /** Removes all but the newest `kept` backups of a folder, and pieces that no backup needs. */
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
  /** Makes a folder if there is nothing; otherwise it must be one of backups. A file is always made anew. */
  is_new_allowed: boolean;
  /** Nothing is written: it is not locked, and may lie on a medium that cannot be written. */
  is_read_only: boolean;
}

/** @throws Stopped */
export const openRepository = (place: string, opening: Opening): Promise<Repository> =>
  writingTo(place, () => opened(place, opening));

async function opened(place: string, opening: Opening): Promise<Repository> {
  if (!isFilePlace(place)) {
    const storage = folderStorage(place);
    if (!storage.has(about)) assertFolderFree(place, opening.is_new_allowed);
    const seal = await sealOf(storage, opening.passphrase);
    if (!opening.is_read_only) storage.lock();
    return repositoryOf(storage, seal);
  }
  if (opening.is_read_only && !existsSync(place)) throw new Stopped(`there is no file ${place}`);
  const storage = opening.is_read_only ? openTar(place) : newTar(place);
  try {
    return repositoryOf(storage, await sealOf(storage, opening.passphrase));
  } catch (error) {
    storage.close();
    throw error;
  }
}

async function sealOf(storage: Storage, passphrase: string | null): Promise<Seal> {
  const { place } = storage;
  const text = await storage.read(about);
  if (!text) return begin(storage, passphrase);
  const { version: found, encryption } = readAbout(storage, text);
  if (found > version)
    throw new Stopped(
      `${place} was written by a newer version (${found}, this program knows ${version}): update the program`,
    );
  if (!encryption) {
    if (passphrase === null) return plainSeal;
    throw new Stopped(
      `the backups in ${place} are not encrypted: unset CHATLEDGER_BACKUP_KEY, or name another place for encrypted ones`,
    );
  }
  if (passphrase === null)
    throw new Stopped(`the backups in ${place} are encrypted: set CHATLEDGER_BACKUP_KEY or CHATLEDGER_BACKUP_KEY_FILE`);
  const seal = await knownKey(passphrase, encryption);
  if (!seal) throw new Stopped(`CHATLEDGER_BACKUP_KEY is not the key of the backups in ${place}`);
  return seal;
}

function readAbout({ whereIs }: Storage, text: Buffer): z.infer<typeof aboutShape> {
  try {
    return aboutShape.parse(JSON.parse(text.toString('utf8')));
  } catch (error) {
    throw new Stopped(`${whereIs(about)} cannot be read (${String(error)}): restore it, its backups need it`);
  }
}

async function begin(storage: Storage, passphrase: string | null): Promise<Seal> {
  const { derivation, seal } = passphrase === null ? { derivation: null, seal: plainSeal } : await newKey(passphrase);
  const text = JSON.stringify({ format: 'chatledger-backup', version, encryption: derivation }, null, 2);
  await storage.write(about, Buffer.from(`${text}\n`));
  return seal;
}

/** Of one second in the order of their numbers. */
const { compare: byTime } = new Intl.Collator('en', { numeric: true });

/** What the name of a manifest is sealed under. */
const manifestName = (id: string): string => `backup ${id}`;

function repositoryOf(storage: Storage, seal: Seal): Repository {
  const pieceOf = (name: string): string => `${pieces}/${name.slice(0, 2)}/${name}`;
  const manifestOf = (id: string): string => `${manifests}/${id}.backup`;
  /** Pieces that were read or written by this process. */
  const whole = new Set<string>();
  const isWhole = async (name: string): Promise<boolean> => {
    if (!storage.has(pieceOf(name))) return false;
    if (whole.has(name)) return true;
    try {
      await repository.read(name);
    } catch (error) {
      if (error instanceof WrongPiece) return false;
      throw error;
    }
    whole.add(name);
    return true;
  };
  const repository: Repository = {
    place: storage.place,
    is_encrypted: seal.is_encrypted,
    async store(plain) {
      const name = seal.nameOf(plain);
      if (await isWhole(name)) return { name, written: 0 };
      const stored = await seal.close(name, plain);
      await writingTo(storage.place, () => storage.write(pieceOf(name), stored));
      whole.add(name);
      return { name, written: stored.length };
    },
    async read(name) {
      const where = storage.whereIs(pieceOf(name));
      const stored = await storage.read(pieceOf(name));
      if (!stored) throw new WrongPiece(`${where} is missing`);
      try {
        const plain = await seal.open(name, stored);
        if (seal.nameOf(plain) !== name) throw new WrongBytes('its content is another');
        return plain;
      } catch (error) {
        if (error instanceof WrongBytes) throw new WrongPiece(`${where} is damaged (${error.message})`);
        throw error;
      }
    },
    async ids() {
      const names = await storage.names(manifests);
      return names
        .flatMap((name) => (name.endsWith('.backup') ? [name.slice(manifests.length + 1, -'.backup'.length)] : []))
        .sort(byTime);
    },
    async backup(id) {
      const ids = await repository.ids();
      const stored = ids.includes(id) ? await storage.read(manifestOf(id)) : undefined;
      if (!stored)
        throw new Stopped(`there is no backup ${id} in ${storage.place}; there are: ${ids.join(', ') || 'none'}`);
      try {
        const plain = await seal.open(manifestName(id), stored);
        const found = manifest.parse(JSON.parse(plain.toString('utf8')));
        if (found.id !== id) throw new WrongBytes(`it is that of ${found.id}`);
        return found;
      } catch (error) {
        throw new Stopped(
          `${storage.whereIs(manifestOf(id))} cannot be read (${error instanceof Error ? error.message : String(error)}): ` +
            (storage.remove
              ? 'the other backups do not need it; remove it, or restore an older one'
              : 'take another file'),
          exitCodes.failed,
        );
      }
    },
    async add(backup) {
      const sealed = await seal.close(manifestName(backup.id), Buffer.from(JSON.stringify(backup)));
      await writingTo(storage.place, async () => {
        await storage.write(manifestOf(backup.id), sealed);
        await repository.backup(backup.id);
        storage.finish();
      });
    },
    async prune(kept) {
      const { remove } = storage;
      if (!remove) return { removed: [], freed: 0 };
      const ids = await repository.ids();
      const removed = ids.slice(0, Math.max(0, ids.length - kept));
      const staying = new Set<string>();
      // First of all: while one of them cannot be read, nobody knows what it needs.
      for (const id of ids.slice(removed.length))
        for (const { pieces: own } of (await repository.backup(id)).files) own.forEach((name) => staying.add(name));
      for (const id of removed) await remove(manifestOf(id));
      let freed = 0;
      for (const name of await storage.names(pieces))
        if (!staying.has(name.slice(name.lastIndexOf('/') + 1))) freed += await remove(name);
      return { removed, freed };
    },
    size: () => storage.size(),
    close: () => storage.close(),
  };
  return repository;
}
