// The connections of one open file: either one writes or all read; next to a writing connection there is one that reads committed data,
// and one for settings.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { assertWanted, currentSignal, reasonOf } from '../cancellation.ts';
import { ClosedWarehouse } from '../errors.ts';
import { type Lent, SharedConnection } from './duckdb-shared.ts';
import { Pool } from './pool.ts';

type ConnectionKind = 'main' | 'beside' | 'slow';

interface ReadOptions {
  /** The connections for slow readers. */
  isSlow?: boolean;
  /** The caller does something else between two pieces of the rows. */
  isInPieces?: boolean;
  /** The one to query, by default the file's. */
  database?: string | undefined;
}

const readers = 3;
/** Number of connections for slow readers, so that questions need not wait for them. */
const slow_readers = 2;
const interrupt_again_ms = 20;

export class DuckdbConnections {
  readonly #all: readonly DuckDBConnection[];
  /** A transaction that is under way keeps nobody from changing a setting. */
  readonly settings: DuckDBConnection;
  readonly #main: Pool<DuckDBConnection>;
  readonly #beside: Pool<DuckDBConnection> | undefined;
  readonly #slow: Pool<DuckDBConnection> | undefined;
  /** That of the work that is under way. */
  readonly #own = new AsyncLocalStorage<SharedConnection>();
  readonly #file: string;
  /** The database that a connection currently uses, if not that of the file. */
  readonly #used = new WeakMap<DuckDBConnection, string>();
  /** That of the file. */
  readonly database: string;
  #closed: PromiseWithResolvers<void> | undefined;

  private constructor(
    file: string,
    database: string,
    settings: DuckDBConnection,
    kinds: Readonly<Record<ConnectionKind, DuckDBConnection[]>>,
  ) {
    const poolOf = (own: DuckDBConnection[]): Pool<DuckDBConnection> | undefined =>
      own.length > 0 ? new Pool(own) : undefined;
    this.#file = file;
    this.database = database;
    this.#all = [settings, ...Object.values(kinds).flat()];
    this.settings = settings;
    this.#main = new Pool(kinds.main);
    this.#beside = poolOf(kinds.beside);
    this.#slow = poolOf(kinds.slow);
  }

  /** `file` is what refusals name. */
  static async open(instance: DuckDBInstance, file: string, isReadOnly: boolean): Promise<DuckdbConnections> {
    const several = async (count: number): Promise<DuckDBConnection[]> => {
      const connections = await Promise.all(Array.from({ length: count }, () => instance.connect()));
      for (const connection of connections) await connection.run("set timezone = 'UTC'");
      return connections;
    };
    const settings = await instance.connect();
    const [row] = (await settings.runAndReadAll('select current_database()')).getRows();
    return new DuckdbConnections(file, String(row?.[0]), settings, {
      main: await several(isReadOnly ? readers : 1),
      beside: await several(isReadOnly ? 0 : 1),
      slow: await several(isReadOnly ? slow_readers : 0),
    });
  }

  /** Whether the caller already holds a connection. */
  isInside(): boolean {
    return this.#own.getStore() !== undefined;
  }

  /** What `work` calls has the same connection; everybody else waits for it. Errors: ClosedWarehouse, Cancelled. */
  within<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#shared((own) => work(own.connection));
  }

  /** Like `within`, for statements only: no other one of the same work runs beside them. Errors: ClosedWarehouse, Cancelled. */
  inTurn<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#shared(async (own) => {
      const { connection, release } = await own.turn();
      try {
        return await work(connection);
      } finally {
        release();
      }
    });
  }

  async #shared<T>(work: (own: SharedConnection) => Promise<T>): Promise<T> {
    const shared = this.#own.getStore();
    if (shared) return work(shared);
    const { connection, release } = await this.#lentBy(this.#main);
    try {
      await this.#use(connection);
      const own = new SharedConnection(connection);
      try {
        return await this.#own.run(own, () => work(own));
      } finally {
        own.end();
      }
    } finally {
      release();
    }
  }

  /**
   * Work that holds a connection reads with it, in turn; everybody else in parallel, however long it takes. Reads end when the caller
   * disconnects. Errors: ClosedWarehouse, Cancelled.
   */
  async toRead({ isSlow = false, isInPieces = false, database }: ReadOptions = {}): Promise<Lent> {
    const own = this.#own.getStore();
    if (own) return own.turn(isInPieces);
    const usual = this.#main.isEmpty && this.#beside ? this.#beside : this.#main;
    const { connection, release } = await this.#lentBy(isSlow && this.#slow ? this.#slow : usual);
    const signal = currentSignal();
    if (signal?.aborted) {
      release();
      throw reasonOf(signal);
    }
    try {
      await this.#use(connection, database);
    } catch (error) {
      release();
      throw error;
    }
    let again: NodeJS.Timeout | undefined;
    // TRICKY: an interrupt before the engine has started the statement is lost, so it is repeated until the statement ends.
    const interrupt = (): void => {
      connection.interrupt();
      again = setInterval(() => connection.interrupt(), interrupt_again_ms);
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    return {
      connection,
      // Removed before the connection is lent again, or it would end the next caller's statement.
      release() {
        signal?.removeEventListener('abort', interrupt);
        clearInterval(again);
        release();
      },
      assertHeld: () => undefined,
    };
  }

  /** TRICKY: the previous user may have selected another database, so the right one is selected first. */
  async #use(connection: DuckDBConnection, database: string = this.database): Promise<void> {
    if ((this.#used.get(connection) ?? this.database) === database) return;
    this.#used.set(connection, '');
    await connection.run(`use "${database}"`);
    this.#used.set(connection, database);
  }

  async #lentBy(pool: Pool<DuckDBConnection>): Promise<Omit<Lent, 'assertHeld'>> {
    assertWanted();
    if (this.#closed) throw new ClosedWarehouse(this.#file);
    const { item, release } = await pool.acquire();
    return {
      connection: item,
      release: () => {
        release();
        if (this.#isIdle()) this.#closed?.resolve();
      },
    };
  }

  #isIdle(): boolean {
    return [this.#main, this.#beside, this.#slow].every((pool) => pool?.isIdle ?? true);
  }

  /** Refuses waiting callers, and closes when the last running statement has ended. */
  async close(): Promise<void> {
    if (this.#closed) return this.#closed.promise;
    this.#closed = Promise.withResolvers<void>();
    for (const pool of [this.#main, this.#beside, this.#slow]) pool?.refuseAll(() => new ClosedWarehouse(this.#file));
    if (this.#isIdle()) this.#closed.resolve();
    await this.#closed.promise;
    for (const connection of this.#all) connection.closeSync();
  }
}
