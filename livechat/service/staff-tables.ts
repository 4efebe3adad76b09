// The lists of the account as SQLite tables: one row per record, found by key, in the order of creation.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Staff } from './records.ts';

type StaffTable = keyof Staff;
type Row<T extends StaffTable> = Staff[T][number];
type Key = string | number;

interface TableDefinition {
  /** One column, or two columns that are unique together. */
  key: string;
  /** Integers and texts are stored as they are, lists and objects as JSON. */
  columns: Readonly<Record<string, 'text' | 'integer' | 'json'>>;
  indexes?: readonly string[];
}

/** Columns of optional fields are null when the record lacks them. */
const staffTables: Record<StaffTable, TableDefinition> = {
  agents: {
    key: 'login',
    columns: {
      ...{ login: 'text', name: 'text', permission: 'text', avatar: 'text', job_title: 'text', login_status: 'text' },
      ...{ daily_summary: 'integer', notifications: 'json', max_chats_count: 'integer', groups: 'json' },
      ...{ api_key: 'text', work_scheduler: 'json', password: 'text' },
    },
  },
  groups: { key: 'id', columns: { id: 'integer', name: 'text', language: 'text' } },
  goals: { key: 'id', columns: { id: 'integer', name: 'text', active: 'integer', type: 'text', details: 'json' } },
  greetings: {
    key: 'id',
    columns: {
      ...{ id: 'integer', active: 'json', name: 'text', group: 'integer', rules: 'json', message_text: 'text' },
      subtype: 'text',
    },
    indexes: ['group'],
  },
  canned_responses: {
    key: 'id',
    columns: {
      ...{ id: 'integer', group: 'integer', text: 'text', creation_date: 'integer', created_by: 'text' },
      ...{ modification_date: 'integer', modified_by: 'text', tags: 'json' },
    },
    indexes: ['group'],
  },
  tags: {
    key: 'name',
    columns: { name: 'text', author: 'text', creation_date: 'integer', group: 'integer' },
    indexes: ['group'],
  },
};
const staffTableNames = Object.keys(staffTables) as StaffTable[];

const quoted = (name: string): string => `"${name}"`;

/** Creates missing tables; an older file keeps all of its rows. */
function makeTables(sqlite: DatabaseSync): void {
  for (const table of staffTableNames) {
    const { key, columns, indexes = [] } = staffTables[table];
    const told = Object.entries(columns).map(([name, type]) => `${quoted(name)} ${type === 'json' ? 'text' : type}`);
    sqlite.exec(
      `create table if not exists ${table} (position integer primary key autoincrement, ${told.join(', ')}, unique (${quoted(key)}))`,
    );
    for (const name of indexes)
      sqlite.exec(`create index if not exists ${table}_of_${name} on ${table} (${quoted(name)})`);
  }
}

/** Reads and writes rows of the lists; the caller opens the transaction before writing. */
export function createStaffTables(sqlite: DatabaseSync) {
  makeTables(sqlite);
  const statements = Object.fromEntries(
    staffTableNames.map((table) => {
      const { key, columns } = staffTables[table];
      const names = Object.keys(columns);
      const update = names.filter((name) => name !== key).map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
      return [
        table,
        {
          all: sqlite.prepare(`select ${names.map(quoted).join(', ')} from ${table} order by position`),
          one: sqlite.prepare(`select ${names.map(quoted).join(', ')} from ${table} where ${quoted(key)} = ?`),
          put: sqlite.prepare(
            `insert into ${table} (${names.map(quoted).join(', ')}) values (${names.map(() => '?').join(', ')})` +
              ` on conflict (${quoted(key)}) do update set ${update.join(', ')}`,
          ),
          remove: sqlite.prepare(`delete from ${table} where ${quoted(key)} = ?`),
        },
      ];
    }),
  ) as Record<StaffTable, Record<'all' | 'one' | 'put' | 'remove', ReturnType<DatabaseSync['prepare']>>>;

  const recordOf = <T extends StaffTable>(table: T, row: Record<string, unknown>): Row<T> => {
    const { columns } = staffTables[table];
    const given = Object.entries(columns).filter(([name]) => row[name] !== null);
    return Object.fromEntries(
      given.map(([name, type]) => [name, type === 'json' ? (JSON.parse(String(row[name])) as unknown) : row[name]]),
    ) as unknown as Row<T>;
  };
  const tables = {
    all: <T extends StaffTable>(table: T): Row<T>[] => statements[table].all.all().map((row) => recordOf(table, row)),
    one<T extends StaffTable>(table: T, key: Key): Row<T> | undefined {
      const row = statements[table].one.get(key);
      return row && recordOf(table, row);
    },
    /** Inserts the row, or updates the one with the same key without moving it. */
    put<T extends StaffTable>(table: T, record: Row<T>): void {
      const given = record as unknown as Record<string, unknown>;
      const values = Object.entries(staffTables[table].columns).map(([name, type]): SQLInputValue => {
        const value = given[name] ?? null;
        return value === null ? null : type === 'json' ? JSON.stringify(value) : (value as SQLInputValue);
      });
      statements[table].put.run(...values);
    },
    remove(table: StaffTable, key: Key): void {
      statements[table].remove.run(key);
    },
    read: (): Staff =>
      Object.fromEntries(staffTableNames.map((table) => [table, tables.all(table)])) as unknown as Staff,
    write(staff: Staff): void {
      for (const table of staffTableNames) for (const record of staff[table]) tables.put(table, record);
    },
  };
  return tables;
}
