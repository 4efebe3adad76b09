// Where the tables of a snapshot stand: names in statements are replaced by those of the database, or by a select that hides rows.
import type { TableColumns } from '../engine.ts';
import type { ClickhouseSnapshot } from './clickhouse-catalogue.ts';

/** What stands in the place of each table, by schema and name. */
export type Places = ReadonlyMap<string, string>;

/** A text, a name in quotes or a comment, in which nothing is replaced; or a table. */
const words =
  /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\b(?:facts|reports|account|ledger|metrics)\.[a-z_]\w*/g;

export const placed = (sql: string, places: Places): string =>
  sql.replace(words, (found) => places.get(found) ?? found);

/** The view of an edition's rows of a table, in its database. */
export const viewName = ({ id, edition, publisher }: Edition, table: string): string =>
  `${id}.${edition}.${publisher}/${table}`;

/** The table of rows with columns of that shape, of one publisher: nobody else has a name with its id. */
export const storedName = (table: string, shape: string, publisher: string): string => `${table}@${shape}.${publisher}`;

/** Whether a name in the database is that of a view, or of a table of rows, of a publisher. */
export const isViewOf = (publisher: string, name: string): boolean =>
  name.includes('/') && name.slice(0, name.indexOf('/')).endsWith(`.${publisher}`);
export const isStoredBy = (publisher: string, name: string): boolean =>
  !name.includes('/') && name.includes('@') && name.endsWith(`.${publisher}`);

/** Whose it is; undefined of a name that is no publisher's. */
export const publisherIn = (name: string): string | undefined =>
  /^[^/]+\.([^./]+)\//.exec(name)?.[1] ?? /^[^/]+@[^/]+\.([^./]+)$/.exec(name)?.[1];

export const placesOf = (database: string, edition: Edition, columns: TableColumns): Places =>
  new Map([...columns.keys()].map((table) => [table, `"${database}"."${viewName(edition, table)}"`]));

type Edition = Pick<ClickhouseSnapshot, 'id' | 'edition' | 'publisher'>;
