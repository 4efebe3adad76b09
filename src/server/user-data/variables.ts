// Declared variables, in the app's SQLite file: every version stays, the newest of an account counts.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { StoredVariables } from '#api/user-data.ts';
import type { VariableDefinition } from '#warehouse/variables.ts';
import type { Folder } from '../folder.ts';
import { appStateFile, openAppState, withAppState } from './database.ts';
import type { UserDataMeans } from './user-data.ts';

const table = `
create table if not exists variables (
  version integer primary key, account text not null, declared text not null, changed_at text not null,
  changed_by text not null) strict;
create index if not exists variables_by_account on variables (account, version);`;

function newest(database: DatabaseSync, account: string): ReturnType<StoredVariables['of']> {
  database.exec(table);
  const row = database
    .prepare('select declared, changed_at, changed_by from variables where account = ? order by version desc limit 1')
    .get(account);
  if (!row) return { declared: [], changed_at: null, changed_by: null };
  return {
    declared: JSON.parse(String(row['declared'])) as VariableDefinition[],
    ...{ changed_at: String(row['changed_at']), changed_by: String(row['changed_by']) },
  };
}

export function variablesIn(database: DatabaseSync, { clock }: UserDataMeans): StoredVariables {
  database.exec(table);
  const add = database.prepare('insert into variables (account, declared, changed_at, changed_by) values (?, ?, ?, ?)');
  return {
    of: (account) => newest(database, account),
    save: (account, declared, by) =>
      void add.run(account, JSON.stringify(declared), new Date(clock()).toISOString(), by),
  };
}

/** The declared variables that a writer stores in the warehouse. */
export function variablesToKeep({ path }: Pick<Folder, 'path'>, account: string): readonly VariableDefinition[] {
  if (!existsSync(appStateFile(path))) return [];
  const database = openAppState(path);
  try {
    return withAppState(path, () => newest(database, account).declared);
  } finally {
    database.close();
  }
}
