// `chatledger restore`: puts a backup into the data folder, which is empty, or whose content is set aside.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withAuth } from '../auth.ts';
import { bytesOf } from '../backup/manifest.ts';
import { openRepository } from '../backup/repository.ts';
import { endRestore, restoreBackup } from '../backup/restore.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { carryErasedOver } from '../erased/carry-over.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { endOnSignal } from '../shutdown.ts';
import { out, outJson, showProgress } from '../terminal.ts';
import { appStateFile, openAppState, withAppState } from '../user-data/database.ts';
import { placeGiven } from './backup.ts';

interface RestoreOptions {
  backup?: string;
  replace?: boolean;
  json?: boolean;
}

/** `from`: a folder of backups, or a file of one, instead of the folder of the settings. */
export async function restore(
  from: string | undefined,
  { backup: wanted, replace, json }: RestoreOptions,
): Promise<void> {
  endOnSignal();
  const config = readConfig();
  const cutOff = endRestore(config.folder);
  if (cutOff) return tellEnd({ folder: config.folder, aside: cutOff.aside, about: 'that was cut off' }, json);
  const repository = await openRepository(placeGiven(from, config), {
    ...{ passphrase: config.backup.passphrase, is_new_allowed: false, is_read_only: true },
  });
  const ids = await repository.ids();
  const id = wanted ?? ids.at(-1);
  if (id === undefined) throw new Stopped(`there is no backup in ${repository.place}`);
  try {
    const backup = await repository.backup(id);
    const { aside } = await restoreBackup({
      ...{ folder: config.folder, repository, backup, is_replacing: replace === true, now: new Date(clock() * 1000) },
      onProgress: (bytes, total) =>
        showProgress(`restore: ${(bytes / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`, bytes >= total),
    });
    const about = `${id}, made at ${backup.made_at} (${(bytesOf(backup) / 1e6).toFixed(1)} MB)`;
    await tellEnd({ folder: config.folder, aside, about, id }, json);
  } catch (error) {
    throw stoppedByFile(error, config.folder, 'the same restore can be run again') ?? error;
  }
}

interface Ended {
  folder: string;
  aside: string | null;
  /** Which backup it was. */
  about: string;
  id?: string;
}

/** What was erased since must not come back: those who know of it are asked, and whoever runs this is told. */
async function tellEnd({ folder: path, aside, about, id }: Ended, json = false): Promise<void> {
  const folder = openFolder(path);
  const state = openAppState(folder.path);
  const before = aside === null ? null : appStateFile(aside);
  const carried = before === null ? null : withAppState(folder.path, () => carryErasedOver(before, state, clock()));
  state.close();
  await withAuth(({ audit }) => audit.record({ action: 'backup.restored', about }));
  if (json) return outJson({ backup: id ?? null, folder: path, aside, erased_since: carried?.erased ?? null });
  out(`${path} is restored from the backup ${about}`);
  if (aside !== null) out(`what was there before lies in ${aside}: remove it when it is not needed any more`);
  out(...erasedSentences(carried, before !== null && existsSync(join(aside ?? '', 'app.sqlite'))));
}

function erasedSentences(carried: ReturnType<typeof carryErasedOver> | null, hasOld: boolean): string[] {
  if (carried && carried.erased + carried.marks === 0) return [];
  if (carried)
    return [
      ...(carried.erased > 0 ? ["people were erased after it was made: run 'npx chatledger erase --again'"] : []),
      ...(carried.marks > 0
        ? ["texts or names became too old after it was made: run 'npx chatledger retain --again'"]
        : []),
    ];
  return [
    hasOld
      ? 'who was erased after it was made cannot be told, the former app.sqlite cannot be read: erase them again'
      : 'whoever was erased after it was made is there again: erase them again',
  ];
}
