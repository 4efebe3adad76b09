// Runs before a pull of `start` and during it, when the schedule says so: makes a backup in a separate process.
import { backupStatus, isBackupDue, noteBackup } from '../backup/status.ts';
import type { Children } from '../children.ts';
import { clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { exitCodes } from '../errors.ts';
import type { Folder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

interface BackingUpParts {
  /** As it is set now. */
  backup: () => Config['backup'];
  folder: Folder;
  terminal: Terminal;
  children: Children;
}

/** How often a pull that runs is asked to rest for a backup that has become due. */
const look_ms = 60_000;

/** From now until what it returns is called, which waits for one that is under way. */
export function backingUpMeanwhile(
  backUp: ReturnType<typeof backingUp>,
  { warn }: Pick<Terminal, 'warn'>,
): () => Promise<void> {
  const since = clock();
  let under_way: Promise<void> | undefined;
  const look = (): void =>
    void (under_way ??= backUp(since)
      .catch((error: unknown) => warn(`no backup was made: ${String(error)}`))
      .finally(() => (under_way = undefined)));
  const looking = setInterval(look, look_ms);
  return async () => {
    clearInterval(looking);
    await under_way;
  };
}

/**
 * A failure never stops a pull. `isAnythingThere`: a snapshot is published. `since` (Unix seconds): the first one of all waits for its time
 * after that, for a first pull beside its first readers needs the memory.
 */
export function backingUp(
  { backup: settings, folder, terminal, children }: BackingUpParts,
  isAnythingThere: () => boolean,
): (since?: number) => Promise<void> {
  return async (since) => {
    const backup = settings();
    if (backup.folder === null || !isAnythingThere()) return;
    if (!isBackupDue(backup, backupStatus(folder), clock(), since)) return;
    let is_told = false;
    const code = await children.run(['backup'], (message) => {
      if (message.kind === 'backing_up')
        terminal.progress(`backup: ${Math.round((100 * message.bytes) / Math.max(1, message.total))} %`);
      if (message.kind === 'backed_up') terminal.say(message.sentence);
      if (message.kind !== 'stopped') return;
      is_told = true;
      terminal.warn(`no backup was made: ${message.sentence}`);
    });
    if (code === exitCodes.done || children.is_ending || is_told) return;
    const sentence = `the backup ended with exit code ${code}`;
    try {
      noteBackup(folder, { ...backupStatus(folder), failed: { at: new Date(clock() * 1000).toISOString(), sentence } });
      terminal.warn(`${sentence}; the next try comes in an hour`);
    } catch (error) {
      terminal.warn(`${sentence}, which could not be noted (${String(error)}); the next try comes with the next pull`);
    }
  };
}
