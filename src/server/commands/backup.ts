// `chatledger backup`: copies everything that the data folder holds to a folder of backups, or into one file, while everything else goes on.
import { resolve } from 'node:path';
import type { BusyWarehouse } from '#warehouse/errors.ts';
import { withAuth } from '../auth.ts';
import { assertElsewhere, makeBackup, type MadeBackup } from '../backup/backup.ts';
import { bytesOf } from '../backup/manifest.ts';
import { isFilePlace } from '../backup/place.ts';
import { openRepository, WrongPiece, type Repository } from '../backup/repository.ts';
import { backupStatus, noteBackup } from '../backup/status.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { resumeErasure } from '../erase/resume.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { endStopped, endWithParent, tell } from '../ipc.ts';
import { programVersion } from '../program-version.ts';
import { isAddressOfHost } from '../setting-values.ts';
import { endOnSignal } from '../shutdown.ts';
import { out, outJson, say, showProgress } from '../terminal.ts';

interface BackupOptions {
  keep?: string;
  wait?: string;
  list?: boolean;
  verify?: boolean;
  json?: boolean;
}

/** `to`: a folder of backups, or a file, instead of the folder of the settings. */
export async function backup(to: string | undefined, options: BackupOptions): Promise<void> {
  endWithParent();
  endOnSignal();
  const config = readConfig();
  const target = placeGiven(to, config);
  const numbers = {
    kept: numberOf('--keep', options.keep, config.backup.kept),
    minutes: numberOf('--wait', options.wait, 60),
  };
  if (options.list || options.verify) return look(target, config, options);
  if (options.keep !== undefined && isFilePlace(target))
    throw new Stopped(`--keep is about a folder of backups: ${target} holds one`);
  const folder = openFolder(config.folder);
  try {
    const { made, removed, seconds } = await make(folder, target, config, numbers);
    if (options.json) outJson({ ...made, folder: target, removed, seconds });
    else out(sentenceOf(made, target, removed, seconds));
    tell({ kind: 'backed_up', sentence: sentenceOf(made, target, removed, seconds) });
  } catch (error) {
    const stopped = stoppedOf(error, target, folder.path);
    // Who named a wrong place by hand has been told so: the backups of the settings are as they were.
    if (to === undefined || stopped?.code !== exitCodes.misused) noteFailure(folder, stopped?.message ?? String(error));
    if (!stopped) throw error;
    endStopped(stopped);
  }
}

/** Where the data folder has no room for the note either, the sentence itself is what counts. */
function noteFailure(folder: Folder, sentence: string): void {
  try {
    noteBackup(folder, { ...backupStatus(folder), failed: { at: timeNow(), sentence } });
  } catch (error) {
    say(`that the backup failed could not be noted: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const timeNow = (): string => new Date(clock() * 1000).toISOString();

/** @throws Stopped when none is named. */
export function placeGiven(to: string | undefined, { backup: { folder } }: Pick<Config, 'backup'>): string {
  if (to !== undefined && isAddressOfHost(to))
    throw new Stopped(
      `${to} is an address: backups go to a folder or a file, which may be on another machine that is mounted here`,
    );
  const target = to === undefined ? folder : resolve(to);
  if (target === null)
    throw new Stopped('say which folder of backups or which file: as an argument, or by CHATLEDGER_BACKUP');
  return target;
}

function numberOf(option: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new Stopped(`${option} ${text} must be a whole number from 1`);
  return Number(text);
}

interface Made {
  made: MadeBackup;
  removed: string[];
  seconds: number;
}

async function make(
  folder: Folder,
  target: string,
  { backup: { passphrase } }: Config,
  { kept, minutes }: { kept: number; minutes: number },
): Promise<Made> {
  const began = performance.now();
  assertElsewhere(folder.path, target);
  const repository = await openRepository(target, { passphrase, is_new_allowed: true, is_read_only: false });
  try {
    await resumeErasure(folder);
    const made = await makeBackup({
      ...{ folder, repository, now: clock, program: programVersion },
      wait: {
        seconds: minutes * 60,
        waiting: ({ message }: BusyWarehouse) => say(`waiting until a pull ends: ${message}`),
        resting: () =>
          say('a pull is under way: it rests between two of its steps while this backup reads what it writes'),
      },
      onProgress: progress,
    });
    const { removed } = await repository.prune(kept);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const { id, made_at, bytes, written } = made;
    const left = (await repository.ids()).length;
    try {
      noteBackup(folder, {
        last: {
          id,
          made_at,
          folder: target,
          bytes,
          written,
          seconds,
          kept: left,
          is_encrypted: repository.is_encrypted,
        },
        failed: null,
      });
      await withAuth(({ audit }) => audit.record({ action: 'backup.made', about: `${id} in ${target}` }));
    } catch (error) {
      const { message } = stoppedOf(error, target, folder.path) ?? { message: String(error) };
      throw new Stopped(
        `${sentenceOf(made, target, removed, seconds)}; that could not be noted: ${message}`,
        exitCodes.failed,
      );
    }
    return { made, removed, seconds };
  } finally {
    repository.close();
  }
}

function progress(bytes: number, total: number): void {
  showProgress(`backup: ${megabytes(bytes)} of ${megabytes(total)}`, bytes >= total);
  tell({ kind: 'backing_up', bytes, total });
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const sentenceOf = (
  { id, files, bytes, written }: MadeBackup,
  target: string,
  removed: string[],
  seconds: number,
): string =>
  `backup ${id} is in ${target} and was read back: ${files} files of ${megabytes(bytes)}, ${megabytes(written)} written, in ${seconds} s` +
  (removed.length > 0 ? `; removed: ${removed.join(', ')}` : '');

/** What ends a backup, in a sentence about its place where that is the reason. */
function stoppedOf(error: unknown, target: string, data: string): Stopped | undefined {
  if (error instanceof Stopped) return error;
  if (error instanceof WrongPiece)
    return new Stopped(
      `${error.message}: what was written there cannot be read back, so this is no backup; look at that disk, or name another place`,
      exitCodes.failed,
    );
  const { code, path = '', message } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== '' && (path.startsWith(target) || target.startsWith(path)))
    return new Stopped(
      `${target} cannot be written (${message}): free some space there, or make it writable`,
      exitCodes.failed,
    );
  return stoppedByFile(error, data, 'the next backup reads it');
}

/** Lists the backups, and with --verify reads all that they are made of. */
async function look(
  target: string,
  { backup: { passphrase } }: Config,
  { verify, json }: BackupOptions,
): Promise<void> {
  const repository = await openRepository(target, { passphrase, is_new_allowed: false, is_read_only: true });
  const found: { id: string; made_at: string; program: string; bytes: number; wrong: string[] }[] = [];
  const known = new Map<string, string | null>();
  for (const id of await repository.ids()) {
    const held = await repository.backup(id);
    const wrong = verify
      ? await wrongIn(
          repository,
          held.files.flatMap(({ pieces }) => pieces),
          known,
        )
      : [];
    found.push({ id, made_at: held.made_at, program: held.program, bytes: bytesOf(held), wrong });
  }
  if (json)
    outJson({ folder: target, is_encrypted: repository.is_encrypted, bytes: await repository.size(), backups: found });
  else {
    for (const { id, made_at, program, bytes, wrong } of found)
      out(
        `${id}  ${made_at}  ${megabytes(bytes).padStart(12)}  version ${program}${verify ? (wrong.length > 0 ? '  WRONG' : '  whole') : ''}`,
      );
    const size = megabytes(await repository.size());
    out(
      found.length === 1 ? `1 backup in ${target} takes ${size}` : `${found.length} backups in ${target} take ${size}`,
    );
    for (const sentence of new Set(found.flatMap(({ wrong }) => wrong))) out(sentence);
  }
  const broken = found.filter(({ wrong }) => wrong.length > 0);
  if (broken.length > 0)
    throw new Stopped(
      `${broken.length} of ${found.length} backups cannot be restored whole: make a new one elsewhere`,
      exitCodes.failed,
    );
}

async function wrongIn(
  repository: Repository,
  names: readonly string[],
  known: Map<string, string | null>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const name of new Set(names)) {
    if (!known.has(name))
      known.set(
        name,
        await repository.read(name).then(
          () => null,
          (error: unknown) => {
            if (error instanceof WrongPiece) return error.message;
            throw error;
          },
        ),
      );
    const sentence = known.get(name);
    if (sentence) wrong.push(sentence);
  }
  return wrong;
}
