// Interfaces of an engine, for readers and for the single writer. Each file of engines/ implements them.
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
  /** Rows whose values in `replacing` identify old rows; by default the loaded rows themselves (not columns). */
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

/** An open warehouse for reading. */
export interface Engine {
  /** The file that is open, or `:memory:`. */
  readonly file: string;
  readonly dialect: Dialect;
  /** Whether nobody writes this file any more, so that results can be cached. */
  readonly isFrozen: boolean;
  /**
   * Rows of one select. Parameters are named (`dialect.param`); an unused one is an error. Errors: Cancelled, if the caller has
   * disconnected (cancellation.ts): the engine stops the query.
   */
  query(sql: string, params?: Row): Promise<Row[]>;
  /**
   * The same rows in pieces, so that only one piece of a long answer is in memory. `isSlow`: for slow readers (downloads), which must not
   * block questions.
   */
  queryInPieces(sql: string, params?: Row, isSlow?: boolean): AsyncGenerator<Row[]>;
  /**
   * The same, column by column, keyed by name: for hundreds of thousands of rows, which as objects would take ten times as long and as much
   * memory. Each column is an `int` or a `double` without nulls; another one is an error.
   */
  queryNumbers(sql: string, params?: Row): Promise<Record<string, Numbers>>;
  /** Names of columns by schema and table, such as `facts.chats`. */
  columns(): Promise<TableColumns>;
  /**
   * The same file behind views: statements find only the tables that `views` gives. Its argument maps a table's name to the one in the
   * file. Created once per `key`, and open as long as the file; only for files that nobody writes.
   */
  narrowed(
    key: string,
    views: (whole: (table: string) => string) => Promise<readonly NarrowedTable[]>,
  ): Promise<Engine>;
}

export type TableColumns = ReadonlyMap<string, ReadonlySet<string>>;

/** A table as a reader of a part sees it; its select reads tables of the file, and those before it in the list by their own names. */
export interface NarrowedTable {
  /** With its schema: `facts.chats`. */
  name: string;
  select: string;
  /** Its rows are few, and finding them again takes longer than most questions about them. */
  isCopied?: boolean;
}

/** What read-only functions need: the dialect and select. */
export type Queryable = Pick<Engine, 'dialect' | 'query' | 'columns'>;

/** An open warehouse as its owner has it: who writes it, or who opened a published file and closes it. */
export interface Store extends Engine {
  /** One or more statements without rows. */
  exec(sql: string, params?: Row): Promise<void>;
  /**
   * All or nothing. Calls of the same engine inside `work` belong to the transaction and wait for each other; elsewhere, queries see the
   * last committed state and writes wait. Nested transactions join the outer one. Errors: a call while rows of another one of the same
   * transaction are read with `queryInPieces`.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Lets the engine exceed its usual memory while `work` runs: for texts as long as everything else together. Queries outside a
   * transaction do so by themselves if necessary.
   */
  withRoom<T>(work: () => Promise<T>): Promise<T>;
  /** Deletes the replaced rows and inserts `rows`; two statements, which belong in a transaction of the caller. */
  load(table: Table, rows: readonly Row[] | ColumnBatch, options?: LoadOptions): Promise<void>;
  /** Copies everything to `file` (which must not exist, but for `isOver`), lets `finish` write to the copy, and closes the copy. */
  copyTo(file: string, finish: (copy: Copy) => Promise<void>, options?: CopyOptions): Promise<void>;
  /** Creates another file (which must not exist) from this one's content with `work`, and closes it. */
  fill(file: string, work: (copy: Copy) => Promise<void>): Promise<void>;
  /** Opens another file of the same engine for reading, under the name passed to `work`; calls of this engine inside belong to it. */
  beside<T>(file: string, work: (name: string) => Promise<T>): Promise<T>;
  /** Statements that make the file anew but for its rows: schemas, tables, views and comments. */
  description(): Promise<string[]>;
  /** Reads the whole file to verify that it is readable. Errors: DamagedWarehouse. */
  readThrough(): Promise<void>;
  /** Moves the write-ahead log into the file. */
  checkpoint(): Promise<void>;
  /** Closes after running work has ended; later calls are refused (ClosedWarehouse). */
  close(): Promise<void>;
}

export interface CopyOptions {
  /**
   * `file` is an older copy that becomes the new one: only differences are written. If somebody is reading it, or it is damaged, it is
   * removed and everything is copied.
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
