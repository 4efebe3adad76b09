// The warehouse in one DuckDB file: one process writes it, everybody else reads published copies.
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { Dialect } from '../dialect.ts';
import type { Copy, CopyOptions, LoadOptions, Row, Store } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import { ColumnBatch } from '../columns.ts';
import { tables, type Table } from '../tables/tables.ts';
import { DuckdbConnections } from './duckdb-connections.ts';
import { copyDatabase, fillDatabase } from './duckdb-copy.ts';
import { descriptionOf } from './duckdb-description.ts';
import { duckdb } from './duckdb-dialect.ts';
import { openingError, statementError } from './duckdb-errors.ts';
import { bound } from './duckdb-parameters.ts';
import { loadColumns } from './duckdb-columns.ts';
import { DuckdbReading } from './duckdb-reading.ts';
import { chooseThreads, forLongTexts, limitSpill, limitsOf, mostMemory, type OpenOptions } from './duckdb-settings.ts';
import { load, stagingTables } from './duckdb-staging.ts';

/** Opens a file (`:memory:` for a temporary one). Errors: DamagedWarehouse, BusyWarehouse, BlockedWarehouse. */
export async function open(file: string, options: OpenOptions = {}): Promise<Store> {
  if (options.readOnly && !existsSync(file)) throw new DamagedWarehouse(file, 'there is no such file');
  const settings: Record<string, string> = { access_mode: options.readOnly ? 'READ_ONLY' : 'READ_WRITE' };
  // The last block of each table is packed anew with every checkpoint: fewer of them load a third faster.
  if (!options.readOnly) settings.checkpoint_threshold = '64MB';
  // TRICKY: rows to load are written to the same file again and again. DuckDB identifies cached files by path, second and size: of two
  // files within a second it would read the first one twice. Of a reader it would keep parts of files that are gone.
  settings.enable_external_file_cache = 'false';
  Object.assign(settings, limitsOf(options));
  if (options.long_texts) Object.assign(settings, forLongTexts);
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(file, settings);
  } catch (error) {
    throw openingError(error, file);
  }
  try {
    await limitSpill(instance, options);
    await chooseThreads(instance, options);
  } catch (error) {
    instance.closeSync();
    throw openingError(error, file);
  }
  const connections = await DuckdbConnections.open(instance, file, options.readOnly ?? false);
  const engine = new DuckdbStore(file, options, instance, connections);
  if (!options.readOnly) removeRows(file);
  if (!options.readOnly && options.long_texts)
    for (const statement of stagingTables(options.tables ?? tables)) await engine.exec(statement);
  return engine;
}

/** A database of views over other files, which nobody writes; `file` is named in messages. Errors: BlockedWarehouse, DamagedWarehouse. */
export async function openViews(
  file: string,
  views: (dialect: Dialect) => readonly string[],
  options: OpenOptions = {},
): Promise<Store> {
  const instance = await DuckDBInstance.create(':memory:', limitsOf(options));
  try {
    await limitSpill(instance, options);
    const connection = await instance.connect();
    try {
      await connection.run('set parquet_metadata_cache = true');
      for (const statement of views(duckdb)) await connection.run(statement);
    } finally {
      connection.closeSync();
    }
    const connections = await DuckdbConnections.open(instance, file, true);
    return new DuckdbStore(file, { ...options, readOnly: true }, instance, connections);
  } catch (error) {
    instance.closeSync();
    throw openingError(error, file);
  }
}

/** Temporary file for rows to load, next to the database, where writing is possible. */
const rowsFile = (file: string): string =>
  file === ':memory:' ? join(tmpdir(), `chatledger-${randomUUID()}.rows`) : `${file}.rows`;

/** Removes the temporary file of a process that was killed while loading; earlier versions wrote JSON lines. */
function removeRows(file: string): void {
  for (const left of [rowsFile(file), `${file}.lines`]) rmSync(left, { force: true });
}

class DuckdbStore extends DuckdbReading implements Store {
  readonly #instance: DuckDBInstance;
  readonly #connections: DuckdbConnections;
  readonly #has_long_texts: boolean;
  /** Its memory limit; undefined if it has none of its own. */
  readonly #memory: string | undefined;
  /** Calls of `withRoom` under way. */
  #roomy = 0;
  #is_raised = false;
  /** Number of files opened so far, for unique names: several may be open at once. */
  #beside = 0;
  #closing: Promise<void> | undefined;

  constructor(
    file: string,
    { readOnly = false, long_texts = false, memory }: OpenOptions,
    instance: DuckDBInstance,
    connections: DuckdbConnections,
  ) {
    super({ file, isFrozen: readOnly, instance, connections, hasLongTexts: long_texts });
    this.#instance = instance;
    this.#connections = connections;
    this.#has_long_texts = long_texts;
    // Readers share their memory: one question must not take all of the program's.
    this.#memory = readOnly ? undefined : memory;
  }

  #with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#explained(this.#connections.within(work));
  }

  #inTurn<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#explained(this.#connections.inTurn(work));
  }

  async #explained<T>(done: Promise<T>): Promise<T> {
    try {
      return await done;
    } catch (error) {
      throw statementError(error, this.file);
    }
  }

  async withRoom<T>(work: () => Promise<T>): Promise<T> {
    const lower = await this.moreMemory();
    try {
      return await work();
    } finally {
      await lower();
    }
  }

  protected override async moreMemory(): Promise<() => Promise<void>> {
    if (this.#memory === undefined) return () => Promise.resolve();
    this.#roomy += 1;
    this.#is_raised = true;
    const lower = (): Promise<void> => {
      this.#roomy -= 1;
      return this.#lower();
    };
    try {
      await this.#connections.settings.run(`set memory_limit = '${mostMemory()}'`);
      return lower;
    } catch (error) {
      await lower();
      throw error;
    }
  }

  /** Memory that cannot be released now is released before the next transaction, or the one after. */
  async #lower(): Promise<void> {
    if (!this.#is_raised || this.#roomy > 0) return;
    await this.#connections.settings.run(`set memory_limit = '${this.#memory}'`).then(
      () => (this.#is_raised = false),
      () => undefined,
    );
  }

  exec(sql: string, params: Row = {}): Promise<void> {
    return this.#inTurn(async (connection) => {
      await connection.run(...bound(sql, params));
    });
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#connections.isInside()) return work();
    await this.#lower();
    return this.#with(async (connection) => {
      await connection.run('begin');
      try {
        const result = await work();
        await this.exec('commit');
        return result;
      } catch (error) {
        await connection.run('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Long texts are handed over as they are; many short values are read faster as columns of a file. */
  load(table: Table, rows: readonly Row[] | ColumnBatch, options: LoadOptions = {}): Promise<void> {
    return this.#inTurn((connection) => {
      if (!this.#has_long_texts) return loadColumns(connection, rowsFile(this.file), table, rows, options);
      if (rows instanceof ColumnBatch) throw new Error(`${this.file} holds long texts and takes no columns`);
      return load(connection, table, rows, options);
    });
  }

  copyTo(file: string, finish: (copy: Copy) => Promise<void>, options?: CopyOptions): Promise<void> {
    const { database } = this.#connections;
    return this.#with((connection) => copyDatabase(connection, { file: this.file, database }, file, finish, options));
  }

  fill(file: string, work: (copy: Copy) => Promise<void>): Promise<void> {
    const { database } = this.#connections;
    return this.#with((connection) => fillDatabase(connection, database, file, work));
  }

  beside<T>(file: string, work: (name: string) => Promise<T>): Promise<T> {
    return this.#with(async (connection) => {
      const name = `beside_${(this.#beside += 1)}`;
      await connection.run(`attach ${duckdb.literal(file, 'text')} as ${name} (read_only)`);
      try {
        return await work(name);
      } finally {
        await connection.run(`detach ${name}`);
      }
    });
  }

  description(): Promise<string[]> {
    return descriptionOf((sql) => this.query(sql));
  }

  async readThrough(): Promise<void> {
    const listed = await this.query(
      `select schema_name, table_name, string_agg('"' || column_name || '"', ', ') as columns
       from duckdb_columns()
       where database_name = current_database()
         and not internal
       group by schema_name, table_name`,
    );
    // A hash over all columns reads every block, and each block's checksum is verified on reading.
    for (const { schema_name, table_name, columns } of listed)
      await this.query(`select bit_xor(hash(${columns})) as read from ${schema_name}.${table_name}`);
  }

  async checkpoint(): Promise<void> {
    await this.exec('checkpoint');
  }

  async close(): Promise<void> {
    this.#closing ??= this.#connections.close().then(() => this.#instance.closeSync());
    await this.#closing;
  }
}
