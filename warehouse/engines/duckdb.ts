// The warehouse in one DuckDB file: one process writes it, everybody else reads published copies.
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile as execFileWithCallback } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { Copy, Engine, LoadOptions, Row } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import { Lines } from '../lines.ts';
import { tables, type Table } from '../tables.ts';
import { duckdb } from './duckdb-dialect.ts';
import { isOutOfMemory, openingError, statementError } from './duckdb-errors.ts';
import { bound, piecesOf, rowsOf } from './duckdb-rows.ts';
import { loadLines } from './duckdb-lines.ts';
import { load, stagingTables } from './duckdb-staging.ts';

const execFile = promisify(execFileWithCallback);

export interface OpenOptions {
  readOnly?: boolean;
  /** Such as `1GB`; by default what the engine takes. */
  memory?: string;
  threads?: number;
  /** What may be loaded; by default the tables of the warehouse. */
  tables?: readonly Table[];
  /** A new file for long texts, which lie compressed in it. */
  long_texts?: boolean;
}

const readers = 3;
/** What an engine with a limit may take while it needs more; what a file of many long texts once needed is a quarter. */
const most_memory = '2GB';

/** Texts longer than these bytes are compressed, JSON about ten times; it takes long when it begins anew every few pages. */
const forLongTexts = {
  storage_compatibility_version: 'v1.2.0',
  zstd_min_string_length: '256',
  checkpoint_threshold: '128MB',
};

/** Opens a file (`:memory:` for one that is gone afterwards). Errors: DamagedWarehouse, BusyWarehouse, BlockedWarehouse. */
export async function open(file: string, options: OpenOptions = {}): Promise<Engine> {
  if (options.readOnly && !existsSync(file)) throw new DamagedWarehouse(file, 'there is no such file');
  const settings: Record<string, string> = { access_mode: options.readOnly ? 'READ_ONLY' : 'READ_WRITE' };
  // The last block of each table is packed anew with every checkpoint: fewer of them load a third faster.
  if (!options.readOnly) settings.checkpoint_threshold = '64MB';
  if (options.memory) settings.memory_limit = options.memory;
  if (options.threads) settings.threads = String(options.threads);
  if (options.long_texts) Object.assign(settings, forLongTexts);
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(file, settings);
  } catch (error) {
    throw openingError(error, file);
  }
  const connections: DuckDBConnection[] = [];
  for (let count = 0; count < (options.readOnly ? readers : 2); count++) {
    const connection = await instance.connect();
    await connection.run("set timezone = 'UTC'");
    connections.push(connection);
  }
  // Besides the one that writes stands one that reads what is committed while a transaction is under way.
  const spare = options.readOnly ? [] : connections.slice(1);
  const settings_only = await instance.connect();
  const engine = new DuckdbEngine(file, options, instance, { connections, spare, settings_only });
  if (!options.readOnly) rmSync(linesFile(file), { force: true }); // of a process that was killed while it loaded
  if (!options.readOnly && options.long_texts)
    for (const statement of stagingTables(options.tables ?? tables)) await engine.exec(statement);
  return engine;
}

/**
 * Bytes, not rows: many times faster than copying table by table.
 * TRICKY: another process copies, because closing a file that this process holds locked would drop the lock.
 */
const copyFile = async (from: string, to: string): Promise<void> => {
  const script =
    "const { copyFileSync, constants } = require('node:fs'); const [from, to] = process.argv.slice(1); copyFileSync(from, to, constants.COPYFILE_FICLONE);";
  await execFile(process.execPath, ['-e', script, from, to]).catch((error: Error) => {
    const [, reason] = /^Error: (E[A-Z]+: .*)$/m.exec(error.message) ?? [];
    throw reason === undefined ? error : new Error(reason);
  });
};

/** Where rows lie for the moment of loading: beside the file, which can be written there. */
const linesFile = (file: string): string =>
  file === ':memory:' ? join(tmpdir(), `chatledger-${randomUUID()}.lines`) : `${file}.lines`;

type Waiting = (connection: DuckDBConnection) => void;

/** To whoever waits longest, or to those that are free. */
function giveBack(connection: DuckDBConnection, free: DuckDBConnection[], waiting: Waiting[]): void {
  const next = waiting.shift();
  if (next) next(connection);
  else free.push(connection);
}

interface Connections {
  connections: readonly DuckDBConnection[];
  /** Those of them that read while a transaction is under way. */
  spare: readonly DuckDBConnection[];
  settings_only: DuckDBConnection;
}

class DuckdbEngine implements Engine {
  readonly dialect = duckdb;
  readonly file: string;
  readonly isFrozen: boolean;
  readonly #instance: DuckDBInstance;
  readonly #all: readonly DuckDBConnection[];
  /** A transaction that is under way must not keep anybody from getting room. */
  readonly #settings: DuckDBConnection;
  readonly #idle: DuckDBConnection[];
  readonly #spare: DuckDBConnection[];
  readonly #waiting: Waiting[] = [];
  /** Who only reads waits for a spare one: a transaction may last as long as it takes them to read. */
  readonly #waiting_to_read: Waiting[] = [];
  readonly #has_spare: boolean;
  readonly #mine = new AsyncLocalStorage<DuckDBConnection>();
  readonly #has_long_texts: boolean;
  /** Its limit; none when it has none of its own. */
  readonly #memory: string | undefined;
  /** Calls of `withRoom` under way. */
  #roomy = 0;
  #is_raised = false;

  constructor(
    file: string,
    { readOnly = false, long_texts = false, memory }: OpenOptions,
    instance: DuckDBInstance,
    { connections, spare, settings_only }: Connections,
  ) {
    this.file = file;
    this.isFrozen = readOnly;
    this.#instance = instance;
    this.#all = [...connections, settings_only];
    this.#settings = settings_only;
    this.#spare = [...spare];
    this.#has_spare = spare.length > 0;
    this.#idle = connections.filter((connection) => !spare.includes(connection));
    this.#has_long_texts = long_texts;
    this.#memory = memory;
  }

  async #with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const mine = this.#mine.getStore();
    if (mine) return work(mine);
    const connection =
      this.#idle.pop() ?? (await new Promise<DuckDBConnection>((resolve) => this.#waiting.push(resolve)));
    try {
      return await this.#mine.run(connection, () => work(connection));
    } catch (error) {
      throw statementError(error, this.file);
    } finally {
      giveBack(connection, this.#idle, this.#waiting);
    }
  }

  async query(sql: string, params: Row = {}): Promise<Row[]> {
    try {
      return await this.#read(sql, params);
    } catch (error) {
      if (!isOutOfMemory(error) || this.#mine.getStore()) throw error;
      return this.withRoom(() => this.#read(sql, params));
    }
  }

  async #read(sql: string, params: Row): Promise<Row[]> {
    // What is materialized lies outside the heap until a garbage collection comes by; long texts cannot wait for that.
    if (this.#has_long_texts) return (await Array.fromAsync(this.queryInPieces(sql, params))).flat();
    const { connection, release } = await this.#reader();
    try {
      return await rowsOf(await connection.run(sql, ...bound(params)));
    } catch (error) {
      throw statementError(error, this.file);
    } finally {
      release();
    }
  }

  async *queryInPieces(sql: string, params: Row = {}): AsyncGenerator<Row[]> {
    const { connection, release } = await this.#reader();
    try {
      yield* piecesOf(await connection.stream(sql, ...bound(params)));
    } catch (error) {
      throw statementError(error, this.file);
    } finally {
      release();
    }
  }

  /** Who is in a transaction reads in it; everybody else reads beside one that is under way, however long it lasts. */
  async #reader(): Promise<{ connection: DuckDBConnection; release: () => void }> {
    const mine = this.#mine.getStore();
    if (mine) return { connection: mine, release: () => undefined };
    const isBeside = this.#has_spare && this.#idle.length === 0;
    const [free, waiting] = isBeside ? [this.#spare, this.#waiting_to_read] : [this.#idle, this.#waiting];
    const connection = free.pop() ?? (await new Promise<DuckDBConnection>((resolve) => waiting.push(resolve)));
    return { connection, release: () => giveBack(connection, free, waiting) };
  }

  async withRoom<T>(work: () => Promise<T>): Promise<T> {
    if (this.#memory === undefined) return work();
    this.#roomy += 1;
    try {
      this.#is_raised = true;
      await this.#settings.run(`set memory_limit = '${most_memory}'`);
      return await work();
    } finally {
      this.#roomy -= 1;
      await this.#lower();
    }
  }

  /** What cannot be let go at this moment is let go before the next transaction, or the one after. */
  async #lower(): Promise<void> {
    if (!this.#is_raised || this.#roomy > 0) return;
    await this.#settings.run(`set memory_limit = '${this.#memory}'`).then(
      () => (this.#is_raised = false),
      () => undefined,
    );
  }

  exec(sql: string, params: Row = {}): Promise<void> {
    return this.#with(async (connection) => {
      await connection.run(sql, ...bound(params));
    });
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#mine.getStore()) return work();
    await this.#lower();
    return this.#with(async (connection) => {
      await connection.run('begin');
      try {
        const result = await work();
        await connection.run('commit');
        return result;
      } catch (error) {
        await connection.run('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Long texts are handed over as they are; many short values are read faster as lines of a file. */
  load(table: Table, rows: readonly Row[] | Lines, options: LoadOptions = {}): Promise<void> {
    return this.#with((connection) => {
      if (!this.#has_long_texts) return loadLines(connection, linesFile(this.file), table, rows, options);
      if (rows instanceof Lines) throw new Error(`${this.file} holds long texts and takes no lines`);
      return load(connection, table, rows, options);
    });
  }

  copyTo(file: string, finish: (copy: Copy) => Promise<void>): Promise<void> {
    return this.#with(async (connection) => {
      const name = 'snapshot_copy';
      const here = String((await rowsOf(await connection.run('select current_database() as name')))[0]?.name);
      const isFile = this.file !== ':memory:';
      if (isFile) {
        // The connection is ours until the end, so nothing is written between the checkpoint and the last byte copied.
        await connection.run('checkpoint');
        await copyFile(this.file, file);
      }
      await connection.run(`attach ${duckdb.literal(file, 'text')} as ${name}`);
      try {
        if (!isFile) await connection.run(`copy from database "${here}" to ${name}`);
        await finish({
          name,
          exec: async (sql) => void (await connection.run(sql)),
          inside: async (statements) => {
            await connection.run(`use ${name}`);
            try {
              for (const statement of statements) await connection.run(statement);
            } finally {
              await connection.run(`use "${here}"`);
            }
          },
        });
        await connection.run(`checkpoint ${name}`);
      } finally {
        await connection.run(`detach ${name}`);
      }
    });
  }

  beside<T>(file: string, work: (name: string) => Promise<T>): Promise<T> {
    return this.#with(async (connection) => {
      await connection.run(`attach ${duckdb.literal(file, 'text')} as beside (read_only)`);
      try {
        return await work('beside');
      } finally {
        await connection.run('detach beside');
      }
    });
  }

  async readThrough(): Promise<void> {
    const listed = await this.query(
      `select schema_name, table_name, string_agg('"' || column_name || '"', ', ') as columns
       from duckdb_columns()
       where database_name = current_database()
         and not internal
       group by schema_name, table_name`,
    );
    // A hash of all columns needs every block, and each is checked against its own sum when it is read.
    for (const { schema_name, table_name, columns } of listed)
      await this.query(`select bit_xor(hash(${columns})) as read from ${schema_name}.${table_name}`);
  }

  async checkpoint(): Promise<void> {
    await this.exec('checkpoint');
  }

  async close(): Promise<void> {
    for (const connection of this.#all) connection.closeSync();
    this.#instance.closeSync();
  }
}
