// What the disk held on each day: one row a day, in the file with data of users, so that backups have it too.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Disk } from '#api/contract/disk.ts';
import type { Folder } from '../folder.ts';
import { appStateFile, openAppState, withAppState } from '../user-data/database.ts';
import { forecastOf, growthOf, type DiskDay } from './disk-forecast.ts';
import type { DiskUse } from './disk-use.ts';

/** Older ones go. */
const kept_days = 400;

const table = `
create table if not exists disk_days (
  day text primary key, free integer not null, size integer not null, kinds text not null) strict, without rowid;`;

export interface DiskDays {
  /** Oldest first. */
  list(): DiskDay[];
  /** The last of a day stays. `now`: milliseconds since 1970. */
  note(use: DiskUse, now: number): void;
}

export function diskDaysIn(database: DatabaseSync): DiskDays {
  database.exec(table);
  const list = database.prepare('select * from disk_days order by day');
  const note = database.prepare('insert or replace into disk_days values (?, ?, ?, ?)');
  const shorten = database.prepare('delete from disk_days where day <= ?');
  return {
    list: () =>
      list.all().map(({ day, free, size, kinds }) => ({
        ...{ day: String(day), free: Number(free), size: Number(size) },
        kinds: JSON.parse(String(kinds)) as DiskDay['kinds'],
      })),
    note({ free, size, kinds }, now) {
      note.run(dayAt(now), free, size, JSON.stringify(kinds));
      shorten.run(dayAt(now - kept_days * 86_400_000));
    },
  };
}

const dayAt = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** What Operations shows. */
export function diskOf({ kinds, free, size }: DiskUse, days: readonly DiskDay[]): Disk {
  const grown = Object.entries(kinds).map(([kind, bytes]) => ({
    ...{ kind, bytes },
    ...{ growth_7: growthOf(days, kind, 7), growth_30: growthOf(days, kind, 30) },
  }));
  return { size, free, kinds: grown, forecast: forecastOf(days) };
}

/** For commands beside the running program. Errors: Stopped if the file cannot be read. */
export function diskDaysOf({ path }: Pick<Folder, 'path'>): DiskDay[] {
  if (!existsSync(appStateFile(path))) return [];
  const state = openAppState(path);
  try {
    return withAppState(path, () => diskDaysIn(state).list());
  } finally {
    state.close();
  }
}
