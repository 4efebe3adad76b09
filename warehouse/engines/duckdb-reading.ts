// Queries a DuckDB file directly, or through views that hide what a reader may not see.
import { randomUUID } from 'node:crypto';
import type { DuckDBInstance } from '@duckdb/node-api';
import { assertWanted } from '../cancellation.ts';
import type { Engine, NarrowedTable, Numbers, Row, TableColumns } from '../engine.ts';
import type { DuckdbConnections } from './duckdb-connections.ts';
import { duckdb } from './duckdb-dialect.ts';
import { isOutOfMemory, statementError } from './duckdb-errors.ts';
import { writtenOut } from './duckdb-parameters.ts';
import { numbersOf, piecesOf } from './duckdb-rows.ts';

interface OpenedFile {
  file: string;
  isFrozen: boolean;
  instance: DuckDBInstance;
  connections: DuckdbConnections;
  /** Contains long texts, so every answer is streamed. */
  hasLongTexts?: boolean;
  /** The database to query, if not that of the file. */
  database?: string;
}

type NarrowedViews = (whole: (table: string) => string) => Promise<readonly NarrowedTable[]>;

export class DuckdbReading implements Engine {
  readonly dialect = duckdb;
  readonly file: string;
  readonly isFrozen: boolean;
  readonly #opened: OpenedFile;
  /** By key. */
  readonly #narrowed = new Map<string, Promise<Engine>>();

  constructor(opened: OpenedFile) {
    this.file = opened.file;
    this.isFrozen = opened.isFrozen;
    this.#opened = opened;
  }

  query(sql: string, params: Row = {}): Promise<Row[]> {
    return this.#withMemory(async () => (await Array.fromAsync(this.#pieces(sql, params))).flat());
  }

  queryNumbers(sql: string, params: Row = {}): Promise<Record<string, Numbers>> {
    return this.#withMemory(async () => {
      const { connections, database } = this.#opened;
      const { connection, release } = await connections.toRead({ database });
      try {
        const numbers = await numbersOf(await connection.run(...writtenOut(sql, params)));
        assertWanted();
        return numbers;
      } catch (error) {
        assertWanted();
        throw statementError(error, this.file);
      } finally {
        release();
      }
    });
  }

  async #withMemory<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!this.#mayHaveMore(error)) throw error;
      const end = await this.moreMemory();
      try {
        return await read();
      } finally {
        await end();
      }
    }
  }

  async *queryInPieces(sql: string, params: Row = {}, isSlow = false): AsyncGenerator<Row[]> {
    const streamed = { isStreamed: true, isInPieces: true, isSlow };
    let hasBegun = false;
    try {
      for await (const rows of this.#pieces(sql, params, streamed)) {
        hasBegun = true;
        yield rows;
      }
    } catch (error) {
      if (hasBegun || !this.#mayHaveMore(error)) throw error;
      const end = await this.moreMemory();
      try {
        yield* this.#pieces(sql, params, streamed);
      } finally {
        await end();
      }
    }
  }

  async columns(): Promise<TableColumns> {
    const rows = await this.query(
      'select schema_name, table_name, column_name\nfrom duckdb_columns()\nwhere database_name = current_database()',
    );
    const byTable = Map.groupBy(rows, (row) => `${String(row.schema_name)}.${String(row.table_name)}`);
    return new Map([...byTable].map(([name, own]) => [name, new Set(own.map((row) => String(row.column_name)))]));
  }

  narrowed(key: string, views: NarrowedViews): Promise<Engine> {
    const known = this.#narrowed.get(key);
    if (known) return known;
    const made = this.#narrow(views);
    this.#narrowed.set(key, made);
    made.catch(() => this.#narrowed.delete(key));
    return made;
  }

  /** Views are created in a separate in-memory database, next to that of the file. */
  async #narrow(views: NarrowedViews): Promise<Engine> {
    if (!this.isFrozen) throw new Error(`${this.file} is written: only a published file is narrowed`);
    const { instance, connections } = this.#opened;
    const name = `narrowed_${randomUUID().replaceAll('-', '')}`;
    const tables = await views((table) => `"${connections.database}".${table}`);
    const connection = await instance.connect();
    try {
      await connection.run(`attach ':memory:' as ${name} (read_write)`);
      await connection.run(`use ${name}`);
      for (const { name: table, select, isCopied = false } of tables) {
        await connection.run(`create schema if not exists ${table.split('.')[0]}`);
        await connection.run(`create ${isCopied ? 'table' : 'view'} ${table} as\n${select}`);
      }
    } catch (error) {
      await connection.run(`use "${connections.database}"`);
      await connection.run(`detach database if exists ${name}`);
      throw statementError(error, this.file);
    } finally {
      connection.closeSync();
    }
    return new DuckdbReading({ ...this.#opened, database: name });
  }

  /** Lets a question that needs more memory have it; returns what ends that. */
  protected moreMemory(): Promise<() => Promise<void>> {
    return Promise.resolve(() => Promise.resolve());
  }

  /**
   * Results that are not streamed stay outside the heap until a garbage collection; long texts cannot wait for that. TRICKY: an
   * interrupted stream ends like a complete one, so each piece is checked.
   */
  async *#pieces(
    sql: string,
    params: Row,
    { isStreamed = this.#opened.hasLongTexts ?? false, isInPieces = false, isSlow = false } = {},
  ): AsyncGenerator<Row[]> {
    const { connections, database } = this.#opened;
    const { connection, release, assertHeld } = await connections.toRead({ isSlow, isInPieces, database });
    try {
      for await (const rows of piecesOf(await connection[isStreamed ? 'stream' : 'run'](...writtenOut(sql, params)))) {
        assertWanted();
        yield rows;
      }
      assertWanted();
      assertHeld();
    } catch (error) {
      assertWanted();
      throw statementError(error, this.file);
    } finally {
      release();
    }
  }

  /** It lacked memory; within a transaction that is over then. */
  #mayHaveMore(error: unknown): boolean {
    return isOutOfMemory(error) && !this.#opened.connections.isInside();
  }
}
