// The steps from one version of the tables to the next, oldest first. A released step is never changed.
import type { ColumnType } from '../tables/tables.ts';
import type { Dialect } from '../dialect.ts';

export interface Migration {
  /** The version that the statements lead to. */
  version: number;
  statements: (dialect: Dialect) => readonly string[];
}

/** Columns that a later version added; old rows have nothing to say there. */
const add = ({ type }: Dialect, table: string, columns: Readonly<Record<string, ColumnType>>): string[] =>
  Object.entries(columns).map(([name, of]) => `alter table ${table} add column "${name}" ${type(of, true)}`);

const create = (
  { type }: Dialect,
  table: string,
  columns: readonly (readonly [string, ColumnType, 'null'?])[],
): string =>
  `create table ${table} (${columns.map(([name, of, or]) => `"${name}" ${type(of, or === 'null')}`).join(', ')})`;

/** Steps after the first version; a fresh file is created at the newest version from tables.ts and takes none of them. */
export const migrations: readonly Migration[] = [
  {
    version: 2,
    statements: (dialect) => [
      ...add(dialect, 'ledger.pulls', { faults: 'int', quarantined: 'int' }),
      ...add(dialect, 'ledger.periods', {
        asked_at: 'instant',
        failures: 'int',
        rows_new: 'int',
        rows_changed: 'int',
        rows_unchanged: 'int',
        attempts: 'int',
        bytes: 'bigint',
        milliseconds: 'int',
      }),
      create(dialect, 'ledger.source_differences', [
        ['account', 'text'],
        ['day', 'date'],
        ['chat_id', 'text'],
        ['field', 'text'],
        ['rest_v2', 'text', 'null'],
        ['agent_v3', 'text', 'null'],
        ['seen_at', 'instant'],
      ]),
      create(dialect, 'ledger.notices', [
        ['account', 'text'],
        ['source', 'text'],
        ['header', 'text'],
        ['value', 'text'],
        ['first_seen_at', 'instant'],
        ['last_seen_at', 'instant'],
      ]),
      "update facts.chats set source = 'rest_v2' where source = 'rest-v2'",
    ],
  },
];

export const newestVersion = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 1;
