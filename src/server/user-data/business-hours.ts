// Business hours as people set them, in the app's SQLite file: every version stays, the newest of an account counts.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Declined } from '#api/errors.ts';
import type { StoredHours } from '#api/user-data.ts';
import { noHours, type BusinessHours } from '#warehouse/business-hours.ts';
import { hoursInFile } from '../business-hours-file.ts';
import { Stopped } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { appStateFile, openAppState, withAppState } from './database.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists business_hours (
  version integer primary key, account text not null, hours text not null, changed_at text not null,
  changed_by text not null) strict;
create index if not exists business_hours_by_account on business_hours (account, version);`;

interface HoursVersion {
  written: BusinessHours;
  changed_at: string;
  changed_by: string;
}

function newest(database: DatabaseSync, account: string): HoursVersion | undefined {
  database.exec(table);
  const row = database
    .prepare('select hours, changed_at, changed_by from business_hours where account = ? order by version desc limit 1')
    .get(account);
  return (
    row && {
      written: JSON.parse(String(row['hours'])) as BusinessHours,
      changed_at: String(row['changed_at']),
      changed_by: String(row['changed_by']),
    }
  );
}

export function businessHoursIn(database: DatabaseSync, { clock, hoursFile: file = null }: UserDataMeans): StoredHours {
  database.exec(table);
  const add = database.prepare(
    'insert into business_hours (account, hours, changed_at, changed_by) values (?, ?, ?, ?)',
  );
  return {
    of(account) {
      if (file !== null) {
        const given = hoursInFile(file);
        if ('wrong' in given) throw new Declined('conflict', `CHATLEDGER_BUSINESS_HOURS=${file} ${given.wrong}`);
        return { written: given.hours.get(account) ?? noHours, source: 'file', changed_at: null, changed_by: null };
      }
      const found = newest(database, account);
      return {
        written: found?.written ?? noHours,
        ...{ source: 'page', changed_at: found?.changed_at ?? null, changed_by: found?.changed_by ?? null },
      };
    },
    save(account, written, by) {
      if (file !== null)
        throw new Declined(
          'conflict',
          `the file ${file} gives the business hours (CHATLEDGER_BUSINESS_HOURS): change it`,
        );
      add.run(account, JSON.stringify(written), new Date(clock()).toISOString(), by);
    },
  };
}

/**
 * The business hours that a writer stores in the warehouse: those of the file if there is one, otherwise those set by users. Errors:
 * Stopped.
 */
export function hoursToKeep({ path }: Pick<Folder, 'path'>, file: string | null): (account: string) => BusinessHours {
  if (file !== null) {
    const given = hoursInFile(file);
    if ('wrong' in given) throw new Stopped(`CHATLEDGER_BUSINESS_HOURS=${file} ${given.wrong}`);
    return (account) => given.hours.get(account) ?? noHours;
  }
  if (!existsSync(appStateFile(path))) return () => noHours;
  return (account) => {
    const database = openAppState(path);
    try {
      return withAppState(path, () => newest(database, account)?.written ?? noHours);
    } finally {
      database.close();
    }
  };
}
