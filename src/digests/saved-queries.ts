// The saved queries on the boards of a digest: what is run for it, as its owner, or why one of them is left out.
import { queryNamed } from '#dashboards/board-queries.ts';
import type { BoardLayout } from '#dashboards/boards.ts';
import type { ChartChoice } from '#dashboards/queries/chart-choice.ts';
import type { QueryValues, ResultTable } from '#dashboards/queries/result.ts';
import type { Reader } from '#warehouse/query/reader.ts';

/** Whose statement it is, with the role that limits it. */
export interface QueryAsker {
  reader: string;
  role: string;
}

/** A saved query as one who may run it sees it. */
export interface SeenQuery {
  name: string;
  /** Name of whoever made it; empty: nobody who is still there. */
  by: string;
  statement: string;
  /** Those that it was saved with. */
  parameters: QueryValues;
  chart: ChartChoice | 'usual' | null;
}

export type QueryOutcome =
  | (ResultTable & { kind: 'answered'; more: boolean })
  | { kind: 'wrong'; message: string }
  /** Too many ran or waited all the time. */
  | { kind: 'busy' };

interface RunOrder {
  asker: QueryAsker;
  statement: string;
  parameters: QueryValues;
  /** Id of the snapshot that it is asked of. */
  snapshot: string;
  /** What it is run for, for the audit. */
  about: string;
}

export interface QueryRunner {
  /** The user with the address of a digest's owner, as one who runs SQL; or that there is none, or that the user may not. */
  askerOf(owner: string | undefined): QueryAsker | 'no_owner' | 'owner_gone' | 'owner_refused';
  /** Undefined for a removed one and for one that the asker may not see. */
  find(id: string, asker: QueryAsker): SeenQuery | undefined;
  /** Errors: Cancelled. */
  run(order: RunOrder): Promise<QueryOutcome>;
}

export type LeftOut =
  | 'no_sql'
  | 'reader_refused' // of a page's document, which runs them as its reader
  | 'no_owner'
  | 'not_agreed' // somebody who may not run SQL has changed what goes to whom
  | 'owner_gone'
  | 'owner_refused'
  | 'narrowed' // to what the reader may see
  | 'query_gone'
  | 'busy' // too many ran or waited
  | 'late'; // those before it took too long

/** One that stands on a board: what to run, or why it is not. Kept with a send. */
export interface QueryOrder {
  board: string;
  /** Of the saved query. */
  id: string;
  /** As the board names it, or else the query. */
  title: string | null;
  isHalf: boolean;
  run?: SeenQuery & { asker: QueryAsker };
  left?: LeftOut;
}

/** Under whose rights they run: `is_agreed`, that what goes to whom was saved by somebody who may run SQL (`StoredDigest`). */
interface QueriesOwner {
  owner?: string | undefined;
  is_agreed: boolean;
}

/** Who that is for the document of a reader, or why nobody. */
function ownerAsker(
  runner: QueryRunner | undefined,
  { owner, is_agreed }: QueriesOwner,
  reader: Reader,
): QueryAsker | LeftOut {
  if (!runner) return 'no_sql';
  const asker = runner.askerOf(owner);
  if (typeof asker === 'string') return asker;
  if (!is_agreed) return 'not_agreed';
  return reader.rows ? 'narrowed' : asker;
}

/** Of all that stand on the boards, as they are now. */
export const queryOrders = (
  runner: QueryRunner | undefined,
  boards: readonly BoardLayout[],
  asker: QueryAsker | LeftOut,
): QueryOrder[] =>
  boards.flatMap((board) =>
    board.panels.flatMap((placed): QueryOrder[] => {
      const id = queryNamed(placed);
      if (id === undefined) return [];
      const about = { board: board.id, id, title: placed.title ?? null, isHalf: placed.size === 'half' };
      if (typeof asker === 'string') return [{ ...about, left: asker }];
      const seen = runner?.find(id, asker);
      if (!seen) return [{ ...about, left: 'query_gone' }];
      return [{ ...about, title: placed.title ?? seen.name, run: { ...seen, asker } }];
    }),
  );

/** Of a digest, for the document of a reader. */
export const ordersOfDigest = (
  runner: QueryRunner | undefined,
  boards: readonly BoardLayout[],
  owner: QueriesOwner,
  reader: Reader,
): QueryOrder[] => queryOrders(runner, boards, ownerAsker(runner, owner, reader));
