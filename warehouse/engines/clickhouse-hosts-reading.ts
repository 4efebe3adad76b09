// Queries a snapshot on whichever of several hosts answers. What has been handed out of an answer is never followed by another host's.
import { withSignal } from '../cancellation.ts';
import type { Engine, NarrowedTable, Numbers, Row, TableColumns } from '../engine.ts';
import { clickhouse } from './clickhouse-dialect.ts';

/** Asks the snapshot on one host, and on the next where that one cannot answer: the work is done again from its beginning. */
type AskOne = <T>(work: (engine: Engine) => Promise<T>) => Promise<T>;

type NarrowedViews = (whole: (table: string) => string) => Promise<readonly NarrowedTable[]>;

export class HostsReading implements Engine {
  readonly dialect = clickhouse;
  readonly file: string;
  readonly isFrozen = true;
  readonly #ask: AskOne;
  /** By key. */
  readonly #narrowed = new Map<string, Promise<Engine>>();

  constructor(file: string, ask: AskOne) {
    this.file = file;
    this.#ask = ask;
  }

  query(sql: string, params: Row = {}): Promise<Row[]> {
    return this.#ask((engine) => engine.query(sql, params));
  }

  async *queryInPieces(sql: string, params: Row = {}): AsyncGenerator<Row[]> {
    const { pieces, first } = await this.#ask(async (engine) => {
      const begun = engine.queryInPieces(sql, params);
      return { pieces: begun, first: await begun.next() };
    });
    try {
      if (first.done) return;
      yield first.value;
      yield* pieces;
    } finally {
      await pieces.return(undefined);
    }
  }

  queryNumbers(sql: string, params: Row = {}): Promise<Record<string, Numbers>> {
    return this.#ask((engine) => engine.queryNumbers(sql, params));
  }

  columns(): Promise<TableColumns> {
    return this.#ask((engine) => engine.columns());
  }

  narrowed(key: string, views: NarrowedViews): Promise<Engine> {
    const known = this.#narrowed.get(key);
    if (known) return known;
    // For whoever waits, not only for the first of them.
    const made = withSignal(undefined, () => this.#narrow(key, views));
    this.#narrowed.set(key, made);
    made.catch(() => this.#narrowed.delete(key));
    return made;
  }

  async #narrow(key: string, views: NarrowedViews): Promise<Engine> {
    const ask: AskOne = (work) => this.#ask(async (engine) => work(await engine.narrowed(key, views)));
    const narrowed = new HostsReading(this.file, ask);
    await narrowed.columns();
    return narrowed;
  }
}
