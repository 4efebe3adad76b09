// Runs before a pull of `start`, when the schedule says so: makes a backup in a separate process.
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

/** A failure never stops the following pull. `isAnythingThere`: a snapshot is published. */
export function backingUp(
  { backup: settings, folder, terminal, children }: BackingUpParts,
  isAnythingThere: () => boolean,
): () => Promise<void> {
  return async () => {
    const backup = settings();
    if (backup.folder === null || !isAnythingThere()) return;
    if (!isBackupDue(backup, backupStatus(folder), clock())) return;
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
    terminal.warn(`${sentence}; the next try comes in an hour`);
    noteBackup(folder, { ...backupStatus(folder), failed: { at: new Date(clock() * 1000).toISOString(), sentence } });
  };
}
