// Records the changes while the raw archive is rewritten, which may hold millions of chats: a file of tables that the rewriting of the
// other files reads.
import { text, account, type Table } from '../tables/table.ts';
import { rawBodies, rawChats } from '../tables/tables.ts';

const changedTable = (name: string, comment: string, columns: Table['columns']): Table => ({
  ...{ schema: 'raw', name, comment, columns, key: [], order: [] },
});
const before = text('what it was');
const after = text('what it becomes');

/** One row per record with this hash. */
export const changedHashes = changedTable('changed_hashes', 'Hashes of records as the facts name them.', {
  before,
  after,
});
export const changedDays = changedTable('changed_days', 'Hashes of days as the ledger names them.', { before, after });
export const changedBodies = changedTable('changed_bodies', 'Bodies of the raw archive that change.', {
  before,
  ...rawBodies.columns,
});
/** All records of these are rewritten. */
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
