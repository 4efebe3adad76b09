// One connection for all statements of a piece of work, such as a transaction: they take turns.
import type { DuckDBConnection } from '@duckdb/node-api';
import { Pool } from './pool.ts';

/** Somebody's turn, which ends with `release`. */
export interface Lent {
  connection: DuckDBConnection;
  release(): void;
  /** Asked once rows have come to an end: it is not theirs if the connection was given away. */
  assertHeld(): void;
}

/** The error does not depend on which of the two was begun first. */
const cutOff = (): Error =>
  new Error(
    'a statement began while the rows of another one of the same transaction are read piece by piece, and would cut them off: read ' +
      'them to their end first',
  );

/**
 * TRICKY: a statement ends the rows of the one before it on the same connection, and they look complete. So the next one waits until they
 * are read. Whoever reads them piece by piece may ask something between two pieces, or wait for it, and would wait for himself: that is an
 * error.
 */
export class SharedConnection {
  readonly connection: DuckDBConnection;
  readonly #turns: Pool<DuckDBConnection>;
  #isReadInPieces = false;
  #isOver = false;

  constructor(connection: DuckDBConnection) {
    this.connection = connection;
    this.#turns = new Pool([connection]);
  }

  /** `isInPieces`: the caller does something else between two pieces of its rows. Errors: Cancelled. */
  async turn(isInPieces = false): Promise<Lent> {
    if (this.#isReadInPieces) throw cutOff();
    const { item, release } = await this.#turns.acquire();
    this.#isReadInPieces = isInPieces;
    if (isInPieces) this.#turns.refuseAll(cutOff);
    return {
      connection: item,
      release: () => {
        this.#isReadInPieces = false;
        release();
      },
      assertHeld: () => {
        if (this.#isOver) throw new Error('the transaction is over, and the rest of the rows with it');
      },
    };
  }

  /** The work is over. */
  end(): void {
    this.#isOver = true;
  }
}
