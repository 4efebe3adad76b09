// Where columns come from: the request to the source, the fields of its answer, and the file that reads them. What has none is counted
// here, or set by people.
import { originsOfChats } from './origins-of-chats.ts';
import { originsOfLists } from './origins-of-lists.ts';
import { reports } from './reports.ts';

export interface Origin {
  request: string;
  /** Paths within a record of the answer; `[]`: each entry of a list, `*`: each key. */
  fields: string[];
  decoder: string;
}

/** Of a request: by table, the fields of each column. */
export interface Origins {
  request: string;
  decoder: string;
  tables: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const originsOfReports = reports.map(({ name, request = '', columns }): Origins => {
  const fields = Object.entries(columns).flatMap(([column, { fields: own = [] }]) =>
    own.length > 0 ? [[column, own] as const] : [],
  );
  return { request, decoder: 'etl/decode/reports.ts', tables: { [`reports.${name}`]: Object.fromEntries(fields) } };
});

export const origins: readonly Origins[] = [originsOfChats, ...originsOfLists, ...originsOfReports];

const byTable = new Map(
  origins.flatMap(({ tables, ...read }) =>
    Object.entries(tables).map(([table, columns]) => [table, { ...read, columns }]),
  ),
);

/** `table` with its schema. Null: no field of the source is in it as such. */
export function originOf(table: string, column: string): Origin | null {
  const { request, decoder, columns } = byTable.get(table) ?? {};
  const fields = columns && Object.hasOwn(columns, column) ? columns[column] : undefined;
  return request === undefined || decoder === undefined || fields === undefined
    ? null
    : { request, fields: [...fields], decoder };
}
