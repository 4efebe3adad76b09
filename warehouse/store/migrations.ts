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

/** Columns of its chats that a bridge repeats from a version on. `empty`: what a row without a chat has. */
function repeatChats(
  { type, literal }: Dialect,
  bridge: string,
  columns: Readonly<Record<string, Repeated>>,
): string[] {
  const each = Object.entries(columns);
  return [
    ...each.map(([name, { of }]) => `alter table ${bridge} add column "${name}" ${type(of, true)}`),
    `update ${bridge} as b set ${each.map(([name]) => `"${name}" = c."${name}"`).join(', ')} from facts.chats as c` +
      ' where c.account = b.account and c.started_quarter = b.started_quarter and c.chat_id = b.chat_id',
    ...each.flatMap(([name, { of, empty }]) =>
      empty === undefined
        ? []
        : [
            `update ${bridge} set "${name}" = ${literal(empty, of)} where "${name}" is null`,
            `alter table ${bridge} alter column "${name}" set not null`,
          ],
    ),
  ];
}

interface Repeated {
  of: ColumnType;
  empty?: string | boolean;
}

const repeated: Readonly<Record<string, Repeated>> = {
  rate: { of: 'text', empty: 'not_rated' },
  queue_seconds: { of: 'int' },
  is_replied: { of: 'bool', empty: false },
};

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
  {
    version: 3,
    statements: (dialect) => [
      ...repeatChats(dialect, 'facts.chat_agents', repeated),
      ...repeatChats(dialect, 'facts.chat_groups', { ...repeated, first_response_seconds: { of: 'int' } }),
      ...repeatChats(dialect, 'facts.chat_tags', { ...repeated, first_response_seconds: { of: 'int' } }),
    ],
  },
];

export const newestVersion = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 1;
