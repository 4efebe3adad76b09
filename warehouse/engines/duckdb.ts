// The warehouse in one DuckDB file: one process writes it, everybody else reads published copies.
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile as execFileWithCallback } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { Copy, Engine, LoadOptions, Row } from '../engine.ts';
import { BusyWarehouse, DamagedWarehouse } from '../errors.ts';
import { tables, type Table } from '../tables.ts';
import { duckdb } from './duckdb-dialect.ts';
import { bound, rowsOf } from './duckdb-rows.ts';
import { load, stagingTables } from './duckdb-staging.ts';

const execFile = promisify(execFileWithCallback);

export interface OpenOptions {
  readOnly?: boolean;
  /** Such as `1GB`; by default what the engine takes. */
  memory?: string;
  threads?: number;
  /** What may be loaded; by default the tables of the warehouse. */
  tables?: readonly Table[];
}

const readers = 3;

/** Opens a file (`:memory:` for one that is gone afterwards). Errors: DamagedWarehouse, BusyWarehouse. */
export async function open(file: string, options: OpenOptions = {}): Promise<Engine> {
  if (options.readOnly && !existsSync(file)) throw new DamagedWarehouse(file, 'there is no such file');
  const settings: Record<string, string> = { access_mode: options.readOnly ? 'READ_ONLY' : 'READ_WRITE' };
  if (options.memory) settings.memory_limit = options.memory;
  if (options.threads) settings.threads = String(options.threads);
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(file, settings);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
    if (/lock/i.test(reason)) throw new BusyWarehouse(file, reason);
    throw new DamagedWarehouse(file, reason);
  }
  const connections: DuckDBConnection[] = [];
  for (let count = 0; count < (options.readOnly ? readers : 1); count++) {
    const connection = await instance.connect();
    await connection.run("set timezone = 'UTC'");
    connections.push(connection);
  }
  const engine = new DuckdbEngine(file, options.readOnly ?? false, instance, connections);
  if (!options.readOnly) for (const statement of stagingTables(options.tables ?? tables)) await engine.exec(statement);
  return engine;
}

/**
 * Bytes, not rows: many times faster than copying table by table.
 * TRICKY: another process copies, because closing a file that this process holds locked would drop the lock.
 */
const copyFile = async (from: string, to: string): Promise<void> => {
  const script =
    "const { copyFileSync, constants } = require('node:fs'); const [from, to] = process.argv.slice(1); copyFileSync(from, to, constants.COPYFILE_FICLONE);";
  await execFile(process.execPath, ['-e', script, from, to]);
};

class DuckdbEngine implements Engine {
  readonly dialect = duckdb;
  readonly file: string;
  readonly isFrozen: boolean;
  readonly #instance: DuckDBInstance;
  readonly #all: readonly DuckDBConnection[];
  readonly #idle: DuckDBConnection[];
  readonly #waiting: ((connection: DuckDBConnection) => void)[] = [];
  readonly #mine = new AsyncLocalStorage<DuckDBConnection>();

  constructor(file: string, isFrozen: boolean, instance: DuckDBInstance, connections: DuckDBConnection[]) {
    this.file = file;
    this.isFrozen = isFrozen;
    this.#instance = instance;
    this.#all = [...connections];
    this.#idle = connections;
  }

  async #with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const mine = this.#mine.getStore();
    if (mine) return work(mine);
    const connection =
      this.#idle.pop() ?? (await new Promise<DuckDBConnection>((resolve) => this.#waiting.push(resolve)));
    try {
      return await this.#mine.run(connection, () => work(connection));
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }

  query(sql: string, params: Row = {}): Promise<Row[]> {
    return this.#with(async (connection) => rowsOf(await connection.run(sql, ...bound(params))));
  }

  exec(sql: string, params: Row = {}): Promise<void> {
    return this.#with(async (connection) => {
      await connection.run(sql, ...bound(params));
    });
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#mine.getStore()) return work();
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

  load(table: Table, rows: readonly Row[], options: LoadOptions = {}): Promise<void> {
    return this.#with((connection) => load(connection, table, rows, options));
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

  async checkpoint(): Promise<void> {
    await this.exec('checkpoint');
  }

  async close(): Promise<void> {
    for (const connection of this.#all) connection.closeSync();
    this.#instance.closeSync();
  }
}
