// What is written down while the raw archive is written anew, where it may be of millions of chats: a file of tables, beside
// which engines write the other files anew.
import { text, account, type Table } from '../tables/table.ts';
import { rawBodies, rawChats } from '../tables/tables.ts';

const changedTable = (name: string, comment: string, columns: Table['columns']): Table => ({
  ...{ schema: 'raw', name, comment, columns, key: [], order: [] },
});
const before = text('what it was');
const after = text('what it becomes');

/** A hash comes as often as there are records of it. */
export const changedHashes = changedTable('changed_hashes', 'Hashes of records as the facts name them.', {
  before,
  after,
});
export const changedDays = changedTable('changed_days', 'Hashes of days as the ledger names them.', { before, after });
export const changedBodies = changedTable('changed_bodies', 'Bodies of the raw archive that change.', {
  before,
  ...rawBodies.columns,
});
/** Of these all records are written anew. */
export const changedPeriods = changedTable('changed_periods', 'Accounts and local days with changed records.', {
  account,
  period: text('local day'),
});
export const changedTables: readonly Table[] = [
  ...[changedHashes, changedDays, changedBodies, changedPeriods],
  rawChats,
];

/** How a statement names a table of a file that is open under `name`. */
export const nameIn = (name: string, table: Table): string => `${name}.${table.schema}.${table.name}`;
