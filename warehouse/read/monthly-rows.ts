// The tables of a published file by account and month: which rows there are, whether they are the same as once before, and each part as a
// Parquet file.
import type { Dialect, FileColumn } from '../dialect.ts';
import type { Engine, Value } from '../engine.ts';
import { tables } from '../tables/tables.ts';

/** The rows of a table of one account in one month; of tables without an account or a day, all of them. */
export interface RowPart {
  /** With its schema: `facts.chats`. */
  table: string;
  account: string | null;
  /** `YYYY-MM`: of facts by when their chats started (UTC), of reports and metrics by local days. */
  month: string | null;
  rows: number;
  /** The same for the same rows in whatever order; another one where columns are others. */
  fingerprint: string;
}

export interface WrittenTable {
  name: string;
  columns: readonly FileColumn[];
  /** Where its rows are read: the table itself, or a file that holds them. */
  from: string;
  /** A view, which is computed whole however little of it is read. */
  isView: boolean;
}

/** What tells the rows of a month apart, in the words of a table. */
interface Months {
  /** The month of a row. */
  label: string;
  /** Rows of a month. */
  within: (month: string) => string;
}

/** Other tables of the file hold counts made beforehand, which facts give too. */
const declared = new Set(tables.map(({ schema, name }) => `${schema}.${name}`));

/** The tables of facts, reports and account lists, and the view of each metric. */
export async function writtenTables(engine: Engine): Promise<WrittenTable[]> {
  const rows = await engine.query(
    `select table_schema || '.' || table_name as name, column_name, data_type
     from information_schema.columns
     where table_catalog = current_database() and table_schema in ('facts', 'reports', 'account', 'metrics')
     order by name, ordinal_position`,
  );
  const found = Map.groupBy(rows, ({ name }) => String(name));
  return [...found]
    .filter(([name]) => declared.has(name) || name.startsWith('metrics.'))
    .map(([name, columns]) => ({
      ...{ name, from: name, isView: !declared.has(name) },
      columns: columns.map(({ column_name, data_type }) => ({ name: String(column_name), type: String(data_type) })),
    }));
}

const seconds_a_quarter = 900;

/** Unix seconds at which a month begins and ends, UTC. */
const boundsOf = (month: string): [number, number] => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return [Date.UTC(year, number - 1) / 1000, Date.UTC(year, number) / 1000];
};

function monthsOf({ columns }: WrittenTable, dialect: Dialect): Months | null {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const within = (column: string, written: (second: number) => string) => (month: string) => {
    const [from, until] = boundsOf(month);
    return `${column} >= ${written(from)} and ${column} < ${written(until)}`;
  };
  const quarter = ['started_quarter', 'quarter'].find(has);
  if (quarter !== undefined)
    return {
      label: dialect.label(dialect.localTime(quarter), 'month'),
      within: within(quarter, (second) => String(second / seconds_a_quarter)),
    };
  if (columns.some(({ name, type }) => name === 'day' && type === dialect.typeName('date')))
    return {
      label: dialect.label('day', 'month'),
      within: within('day', (second) => dialect.literal(new Date(second * 1000).toISOString().slice(0, 10), 'date')),
    };
  return null;
}

const hasAccount = ({ columns }: WrittenTable): boolean => columns.some(({ name }) => name === 'account');

/** The same table, read from a file that this writes; it must not exist. Errors: Cancelled. */
export async function materialized(engine: Engine, table: WrittenTable, file: string): Promise<WrittenTable> {
  const { dialect } = engine;
  await Array.fromAsync(engine.queryInPieces(dialect.writeRows(table.columns, table.name, file), {}, true));
  return { ...table, from: `(${dialect.rowsOf(table.columns, [file])}) as materialized` };
}

/** The parts of a table, oldest first. Reads all of its rows. Errors: Cancelled. */
export async function partsOf(engine: Engine, table: WrittenTable): Promise<RowPart[]> {
  const { dialect } = engine;
  const months = monthsOf(table, dialect);
  const { columns } = table;
  const nothing = dialect.literal(null, 'text');
  const shape = columns.map(({ name, type }) => dialect.literal(`${name} ${type}`, 'text'));
  const rows = await engine.query(
    `select ${hasAccount(table) ? 'account' : nothing} as whose, ${months?.label ?? nothing} as month, count(*) as rows,
       ${dialect.fingerprint([...shape, ...columns.map(({ name }) => `"${name}"`)])} as fingerprint
     from ${table.from}
     group by whose, month
     order by whose, month`,
  );
  const textOr = (value: Value | undefined): string | null => (value === null ? null : String(value));
  return rows.map(({ whose, month, rows, fingerprint }) => ({
    ...{ table: table.name, account: textOr(whose), month: textOr(month) },
    ...{ rows: Number(rows), fingerprint: String(fingerprint) },
  }));
}

/** The rows of a part in the order of the table, to be selected from. */
export function rowsOfPart({ dialect }: Engine, table: WrittenTable, part: RowPart): string {
  const where = [
    ...(part.account === null ? [] : [`account = ${dialect.literal(part.account, 'text')}`]),
    ...(part.month === null ? [] : [monthsOf(table, dialect)?.within(part.month) ?? 'true']),
  ];
  const order = tables.find(({ schema, name }) => `${schema}.${name}` === table.name)?.order ?? ['account', 'day'];
  const there = order.filter((name) => table.columns.some((column) => column.name === name));
  return (
    `(select * from ${table.from}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}` +
    `${there.length > 0 ? ` order by ${there.map((name) => `"${name}"`).join(', ')}` : ''}) as part`
  );
}

/** Writes a part as a Parquet file, which must not exist; rows in the order of the table. Errors: Cancelled. */
export async function writePart(engine: Engine, table: WrittenTable, part: RowPart, file: string): Promise<void> {
  const { dialect } = engine;
  const rows = rowsOfPart(engine, table, part);
  await Array.fromAsync(engine.queryInPieces(dialect.writeRows(table.columns, rows, file), {}, true));
}
