// Parts of one backup in one tar file, which has its name when it is whole and was read back.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { exitCodes, Stopped } from '../errors.ts';
import { lockFolder } from '../folder-lock.ts';
import { about, type Storage } from './storage.ts';
import { paddingOf, readTarHeader, tar_block, tarEnd, tarHeader } from './tar.ts';

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Places = Map<string, { at: number; bytes: number }>;

/** @throws Stopped unless it is a whole file of this kind. */
export function openTar(file: string): Storage {
  const descriptor = openReadable(file);
  try {
    return storageOf(file, descriptor, placesIn(file, descriptor), {
      finish: () => undefined,
      close: () => closeSync(descriptor),
    });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Written beside its place until it is finished; what a killed process left there is replaced. @throws Stopped */
export function newTar(file: string): Storage {
  assertFree(file);
  const unlock = lockFolder(`${file}.lock`, file);
  const part = `${file}.part`;
  const descriptor = openPart(part, unlock);
  let is_open = true;
  const close = (): void => {
    if (!is_open) return;
    is_open = false;
    for (const signal of endingSignals) process.off(signal, close);
    closeSync(descriptor);
    rmSync(part, { force: true });
    unlock();
  };
  // Before whoever ends the process then.
  for (const signal of endingSignals) process.prependListener(signal, close);
  return storageOf(file, descriptor, new Map(), {
    finish() {
      writeFileSync(descriptor, tarEnd);
      fdatasyncSync(descriptor);
      placesIn(part, descriptor);
      assertFree(file);
      renameSync(part, file);
    },
    close,
  });
}

function openReadable(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new Stopped(`${file} cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

function openPart(part: string, unlock: () => void): number {
  try {
    rmSync(part, { force: true });
    return openSync(part, 'wx+', 0o600);
  } catch (error) {
    unlock();
    throw error;
  }
}

function assertFree(file: string): void {
  if (!existsSync(dirname(file)))
    throw new Stopped(`there is no folder ${dirname(file)}: make it, or mount the disk that it is on`);
  if (existsSync(file)) throw new Stopped(`${file} is there already and stays as it is: name another, or remove it`);
}

function storageOf(
  file: string,
  descriptor: number,
  places: Places,
  ending: Pick<Storage, 'finish' | 'close'>,
): Storage {
  let end = 0;
  return {
    place: file,
    whereIs: (name) => `${name} of ${file}`,
    has: (name) => places.has(name),
    read: (name) => {
      const place = places.get(name);
      return Promise.resolve(place && readAt(descriptor, place.at, place.bytes));
    },
    write: (name, bytes) => {
      const padding = paddingOf(bytes.length);
      writeFileSync(descriptor, Buffer.concat([tarHeader(name, bytes.length), bytes, Buffer.alloc(padding)]));
      places.set(name, { at: end + tar_block, bytes: bytes.length });
      end += tar_block + bytes.length + padding;
      return Promise.resolve();
    },
    names: (below) => Promise.resolve([...places.keys()].filter((name) => name.startsWith(`${below}/`))),
    remove: null,
    size: () => Promise.resolve(fstatSync(descriptor).size),
    ...ending,
  };
}

/** Shorter where the file ends. */
function readAt(descriptor: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  while (length < bytes) {
    const read = readSync(descriptor, buffer, length, bytes - length, at + length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

/** By the headers alone: contents are known by their names when they are read. @throws Stopped */
function placesIn(file: string, descriptor: number): Places {
  const places: Places = new Map();
  const { size } = fstatSync(descriptor);
  for (let at = 0; ;) {
    const header = readAt(descriptor, at, tar_block);
    const found = readTarHeader(header);
    if (places.size === 0 && found?.name !== about)
      throw new Stopped(`${file} is no backup of this program: it does not begin with ${about}`);
    if (!found && header.equals(tarEnd.subarray(0, tar_block)) && size >= at + tarEnd.length) return places;
    if (!found && header.length === tar_block && header.some((byte) => byte !== 0))
      throw new Stopped(`${file} is damaged at byte ${at}: copy it again, or take another`, exitCodes.failed);
    const begin = at + tar_block;
    const next = found ? begin + found.bytes + paddingOf(found.bytes) : Infinity;
    if (!found || next > size)
      throw new Stopped(
        `${file} is cut off after ${size} bytes: copy ${basename(file)} again, or take another`,
        exitCodes.failed,
      );
    places.set(found.name, { at: begin, bytes: found.bytes });
    at = next;
  }
}
