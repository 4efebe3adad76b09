// The versions of the tables, what each one added, and since which one a column is there. A test holds it to what the steps from one
// version to the next do to a file.
import { tables } from './tables.ts';

interface TableVersion {
  /** As in `ledger.versions`. */
  version: number;
  /** The first release with it. */
  release: string;
  /** With their schema. */
  tables?: readonly string[];
  /** By table, those that were added to it. */
  columns?: Readonly<Record<string, readonly string[]>>;
  /** What of it chats and pulls have that were there before. */
  before: string;
}

const repeated = ['rate', 'queue_seconds', 'is_replied'];
const withFirstResponse = [...repeated, 'first_response_seconds'];

export const tableVersions: readonly TableVersion[] = [
  { version: 1, release: '0.1.0', before: '' },
  {
    ...{ version: 2, release: '0.1.0', before: 'null, and no rows' },
    tables: ['ledger.source_differences', 'ledger.notices'],
    columns: {
      'ledger.pulls': ['faults', 'quarantined'],
      'ledger.periods': [
        ...['asked_at', 'failures', 'rows_new', 'rows_changed', 'rows_unchanged', 'attempts', 'bytes', 'milliseconds'],
      ],
    },
  },
  {
    ...{ version: 3, release: '0.1.0', before: 'filled from `facts.chats`' },
    columns: {
      'facts.chat_agents': repeated,
      'facts.chat_groups': withFirstResponse,
      'facts.chat_tags': withFirstResponse,
    },
  },
  {
    ...{ version: 4, release: '0.1.0', before: 'null, as nothing was redacted' },
    columns: { 'facts.chats': ['redaction'] },
  },
  {
    ...{ version: 5, release: '0.1.0', before: 'turns filled from `facts.messages`' },
    tables: ['facts.chat_turns', 'account.business_hours', 'account.open_hours'],
  },
  {
    ...{ version: 6, release: '0.1.0', before: 'no rows until `rebuild` reads them from the raw archive' },
    tables: ['facts.chat_variables', 'facts.chat_dimensions', 'account.variables'],
  },
  {
    ...{ version: 7, release: '0.1.0', before: 'filled from `facts.chats`' },
    columns: { 'facts.chat_groups': ['response_seconds'], 'facts.chat_tags': ['response_seconds'] },
  },
  {
    ...{ version: 8, release: '0.1.0', before: 'null, as nothing was set' },
    columns: { 'ledger.pulls': ['settling_days'] },
  },
];

export interface Since {
  version: number;
  release: string;
}

const byColumn = new Map<string, Since>();
for (const table of tables) {
  const name = `${table.schema}.${table.name}`;
  const [first] = tableVersions;
  const whole = tableVersions.find((step) => step.tables?.includes(name)) ?? first;
  for (const column of Object.keys(table.columns)) {
    const found = tableVersions.find((step) => step.columns?.[name]?.includes(column)) ?? whole;
    if (found) byColumn.set(`${name}.${column}`, { version: found.version, release: found.release });
  }
}

/** `table` with its schema. Null: none of these tables, such as a view, which each publication makes anew. */
export const sinceOf = (table: string, column: string): Since | null => byColumn.get(`${table}.${column}`) ?? null;
