// How backups went, for Operations, `doctor` and the schedule; kept beside the data, and never part of a backup.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Backups } from '#api/contract/backups.ts';
import { cronOf } from '#digests/cron.ts';
import type { BackupSettings } from '../config.ts';
import type { Folder } from '../folder.ts';
import { replaceFile } from '../replace-file.ts';

const statusShape = z.object({
  /** The last one that was read back whole. */
  last: z
    .object({
      id: z.string(),
      made_at: z.iso.datetime(),
      folder: z.string(),
      bytes: z.number(),
      written: z.number(),
      seconds: z.number(),
      kept: z.int(),
      is_encrypted: z.boolean(),
    })
    .nullable(),
  /** Later than the last one. */
  failed: z.object({ at: z.iso.datetime(), sentence: z.string() }).nullable(),
});
type BackupStatus = z.infer<typeof statusShape>;

/** In the data folder. */
export const statusName = 'backups.json';
const fileIn = ({ path }: Pick<Folder, 'path'>): string => join(path, statusName);

const nothing: BackupStatus = { last: null, failed: null };

/** A file that cannot be read tells nothing, and is written again by the next backup. */
export function backupStatus(folder: Pick<Folder, 'path'>): BackupStatus {
  const file = fileIn(folder);
  if (!existsSync(file)) return nothing;
  try {
    return statusShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return nothing;
  }
}

export function noteBackup(folder: Pick<Folder, 'path'>, status: BackupStatus): void {
  replaceFile(fileIn(folder), `${JSON.stringify(status, null, 2)}\n`, { mode: 0o600 });
}

/** A failed one is tried again after an hour. */
const retry_ms = 3_600_000;

/**
 * Whether the schedule wants one, or the clock was ahead when the last one was made. `since`: the first one waits for its time after that.
 * In Unix seconds.
 */
export function isBackupDue(
  { cron }: BackupSettings,
  { last, failed }: BackupStatus,
  now: number,
  since?: number,
): boolean {
  if (failed) return Math.abs(now * 1000 - Date.parse(failed.at)) >= retry_ms;
  if (last === null) return since === undefined || nextAfter(cron, new Date(since * 1000).toISOString()) <= now * 1000;
  return Date.parse(last.made_at) > now * 1000 || nextAfter(cron, last.made_at) <= now * 1000;
}

/** Two were due since the last one. */
export const isBackupLate = ({ cron }: BackupSettings, { last }: BackupStatus, now: number): boolean =>
  last !== null && nextAfter(cron, new Date(nextAfter(cron, last.made_at)).toISOString()) <= now * 1000;

/** Unix milliseconds. The settings allow seconds before the five fields, which backups do without. */
const nextAfter = (cron: string, instant: string): number =>
  cronOf(cron.trim().split(/\s+/).slice(-5).join(' '), 'UTC').nextRun(new Date(instant))?.getTime() ?? Infinity;

/** What Operations shows. `now` in Unix seconds. */
export function backupsOf(settings: BackupSettings, folder: Pick<Folder, 'path'>, now: number): Backups {
  const status = backupStatus(folder);
  const { folder: to, cron, kept } = settings;
  return {
    ...status,
    schedule: to === null ? null : { folder: to, cron, kept },
    is_late: to !== null && isBackupLate(settings, status, now),
  };
}
