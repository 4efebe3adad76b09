// Every table of the warehouse. Migrations, loading, the console and the docs read this list. Contains no engine's words; the dialect
// knows how types are spelled.
import { accountLists } from './account.ts';
import { facts } from './facts.ts';
import { about, ledger } from './ledger.ts';
import { reports } from './reports.ts';
import type { Table } from './table.ts';

export { rawAbout, rawBodies, rawChats, rawResponses, rawTables, rawVersion } from './raw.ts';
export type { Column, ColumnType, Table, Tells } from './table.ts';

export const tables: readonly Table[] = [...facts, ...reports, ...accountLists, ...ledger, ...about];

/** The table of that schema and name; a missing one is a mistake of the program. */
export function tableOf(schema: Table['schema'], name: string): Table {
  const found = tables.find((table) => table.schema === schema && table.name === name);
  if (!found) throw new Error(`no table ${schema}.${name} is declared in warehouse/tables/tables.ts`);
  return found;
}
