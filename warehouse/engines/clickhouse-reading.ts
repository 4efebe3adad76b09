// Queries a snapshot in ClickHouse directly, or through selects that hide what a reader may not see.
import { withSignal } from '../cancellation.ts';
import type { Engine, NarrowedTable, Numbers, Row, TableColumns } from '../engine.ts';
import type { ClickhouseConnection } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';
import { statementError } from './clickhouse-errors.ts';
import { numbersIn } from './clickhouse-numbers.ts';
import { placed, type Places } from './clickhouse-tables.ts';

type NarrowedViews = (whole: (table: string) => string) => Promise<readonly NarrowedTable[]>;

export class ClickhouseReading implements Engine {
  readonly dialect = clickhouse;
  readonly file: string;
  readonly isFrozen = true;
  readonly #connection: ClickhouseConnection;
  readonly #places: Places;
  readonly #columns: () => Promise<TableColumns>;
  /** By key. */
  readonly #narrowed = new Map<string, Promise<Engine>>();

  constructor(file: string, connection: ClickhouseConnection, places: Places, columns: () => Promise<TableColumns>) {
    this.file = file;
    this.#connection = connection;
    this.#places = places;
    this.#columns = columns;
  }

  query(sql: string, params: Row = {}): Promise<Row[]> {
    return this.#connection.rows(placed(sql, this.#places), params);
  }

  queryInPieces(sql: string, params: Row = {}): AsyncGenerator<Row[]> {
    return this.#connection.pieces(placed(sql, this.#places), params);
  }

  async queryNumbers(sql: string, params: Row = {}): Promise<Record<string, Numbers>> {
    const own = placed(sql, this.#places);
    const shape = await this.#shapeOf(own, params);
    const bytes = await this.#connection.bytes(`${own}\nformat Native`, params);
    try {
      return numbersIn(bytes, shape);
    } catch (error) {
      throw statementError(error, this.#connection.name);
    }
  }

  columns(): Promise<TableColumns> {
    return this.#columns();
  }

  narrowed(key: string, views: NarrowedViews): Promise<Engine> {
    const known = this.#narrowed.get(key);
    if (known) return known;
    // For whoever waits, not only for the first of them.
    const made = withSignal(undefined, () => this.#narrow(views));
    this.#narrowed.set(key, made);
    made.catch(() => this.#narrowed.delete(key));
    return made;
  }

  /** A reader's tables are selects within the statements, so that nothing is written for a reader. */
  async #narrow(views: NarrowedViews): Promise<Engine> {
    const tables = await views((table) => this.#places.get(table) ?? table);
    const places = new Map<string, string>();
    for (const { name, select } of tables) places.set(name, `(${placed(select, places)})`);
    const shapes = new Map<string, ReadonlySet<string>>();
    for (const [name, select] of places) shapes.set(name, new Set(Object.keys(await this.#shapeOf(select))));
    return new ClickhouseReading(this.file, this.#connection, places, () => Promise.resolve(shapes));
  }

  /** Names and types of the columns of a select. */
  async #shapeOf(sql: string, params: Row = {}): Promise<Record<string, string>> {
    const rows = await this.#connection.rows(`describe (${sql})`, params);
    return Object.fromEntries(rows.map(({ name, type }) => [String(name), String(type)]));
  }
}
