// Where the tables of a snapshot stand: names in statements are replaced by those of the database, or by a select that hides rows.
import type { TableColumns } from '../engine.ts';

/** What stands in the place of each table, by schema and name. */
export type Places = ReadonlyMap<string, string>;

/** A text, a name in quotes or a comment, in which nothing is replaced; or a table. */
const words =
  /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\b(?:facts|reports|account|ledger|metrics)\.[a-z_]\w*/g;

export const placed = (sql: string, places: Places): string =>
  sql.replace(words, (found) => places.get(found) ?? found);

/** The view of a snapshot's rows of a table. */
export const viewOf = (database: string, snapshot: string, table: string): string =>
  `"${database}"."${snapshot}/${table}"`;

export const placesOf = (database: string, snapshot: string, columns: TableColumns): Places =>
  new Map([...columns.keys()].map((table) => [table, viewOf(database, snapshot, table)]));
