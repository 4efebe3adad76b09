// What an engine can do: for everybody who asks, and for the one who writes. Each file of engines/ is one way to do it.
import type { ColumnBatch } from './columns.ts';
import type { Dialect } from './dialect.ts';
import type { Table } from './tables/tables.ts';

/** A plain value of a row. Whole numbers arrive as numbers (exact up to 2^53), decimals as the nearest number. */
export type Value = string | number | boolean | null;

/**
 * A plain row, keyed by column name.
 * Read: instants are ISO text in UTC (`2026-03-29T01:00:00.000Z`), dates `YYYY-MM-DD`.
 * Written: instants are Unix seconds (a number, fractions allowed) or ISO text; dates are `YYYY-MM-DD`; decimals are
 * text (exact) or a number; whole numbers are numbers; a missing column is null.
 */
export type Row = Record<string, Value>;

/** Numbers of one column, row after row. */
export type Numbers = Int32Array | Float64Array;

export interface LoadOptions {
  /** Key columns: old rows that agree in all of them with a mark are deleted first. Empty: nothing is deleted. */
  replacing?: readonly string[];
  /** The rows whose values in `replacing` mark old rows; by default the loaded rows themselves (not columns). */
  marks?: readonly Row[];
}

export interface Published {
  /** Sortable by time; the name of the snapshot's file. */
  id: string;
  /** ISO instant. */
  published_at: string;
  /** The immutable file of this snapshot. */
  file: string;
}

/** An open warehouse as it is asked. */
export interface Engine {
  /** The file that is open, or `:memory:`. */
  readonly file: string;
  readonly dialect: Dialect;
  /** Nobody writes this file any more: what was read once stays true. */
  readonly isFrozen: boolean;
  /**
   * Rows of one select. Parameters are named (`dialect.param`); an unused one is an error. Errors: Cancelled, when whoever
   * asks has left (cancellation.ts): the engine stops working on it.
   */
  query(sql: string, params?: Row): Promise<Row[]>;
  /**
   * The same rows in pieces: of a long answer only one piece is held at a time. `isSlow`: whoever reads takes his time (a
   * download), and must not keep questions waiting meanwhile.
   */
  queryInPieces(sql: string, params?: Row, isSlow?: boolean): AsyncGenerator<Row[]>;
  /**
   * The same, column by column, keyed by name: for hundreds of thousands of rows, which as objects would take ten times as long and as much
   * memory. Each column is an `int` or a `double` without nulls; another one is an error.
   */
  queryNumbers(sql: string, params?: Row): Promise<Record<string, Numbers>>;
  /**
   * The same file behind views: statements find the tables that `views` makes and no others. It is told how to name a
   * table of the file. Made once for each `key`, and open as long as the file; only of a file that nobody writes.
   */
  narrowed(key: string, views: (whole: (table: string) => string) => Promise<readonly string[]>): Promise<Engine>;
}

/** What a function needs that only asks: the words of the dialect and rows of a select. */
export type Queryable = Pick<Engine, 'dialect' | 'query'>;

/** An open warehouse as its owner has it: who writes it, or who opened a published file and closes it. */
export interface Store extends Engine {
  /** One or more statements without rows. */
  exec(sql: string, params?: Row): Promise<void>;
  /**
   * All or nothing. Calls of the same engine made inside `work` belong to it; elsewhere queries see what was committed
   * before it, and everything else waits until it is over. A transaction inside a transaction joins the outer one.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Lets the engine take more memory than it usually may while `work` runs: for texts that are as long as everything
   * else together. A query outside a transaction takes it by itself when it has to.
   */
  withRoom<T>(work: () => Promise<T>): Promise<T>;
  /** Deletes what is replaced and inserts `rows`; two statements that belong into a transaction of the caller. */
  load(table: Table, rows: readonly Row[] | ColumnBatch, options?: LoadOptions): Promise<void>;
  /** Copies everything to `file` (which must not exist, but for `isOver`), lets `finish` write to the copy, and closes the copy. */
  copyTo(file: string, finish: (copy: Copy) => Promise<void>, options?: CopyOptions): Promise<void>;
  /** Lets `work` write another file (which must not exist) out of what is in this one, and closes it. */
  fill(file: string, work: (copy: Copy) => Promise<void>): Promise<void>;
  /** Lets `work` read another file of the same engine under the name that it is given; its calls of this engine belong to it. */
  beside<T>(file: string, work: (name: string) => Promise<T>): Promise<T>;
  /** Statements that make the file anew but for its rows: schemas, tables, views and comments. */
  description(): Promise<string[]>;
  /** Reads everything there is, to see whether it can be read. Errors: DamagedWarehouse. */
  readThrough(): Promise<void>;
  /** Moves the write-ahead log into the file. */
  checkpoint(): Promise<void>;
  /** When what is under way has ended; whoever asks from now on is refused (ClosedWarehouse). */
  close(): Promise<void>;
}

export interface CopyOptions {
  /**
   * `file` is an older copy that becomes the new one: only what differs is written. When somebody reads it, or it is damaged, it is
   * removed and everything copied.
   */
  isOver?: boolean;
}

/** A copy under construction: names in `exec` need the prefix `name`, views refer to tables without it. */
export interface Copy {
  readonly name: string;
  exec(sql: string): Promise<void>;
  /** Statements run with the copy as the current database. `isAtOnce`: in one transaction; many small ones take twice as long. */
  inside(statements: readonly string[], how?: { isAtOnce?: boolean }): Promise<void>;
}
