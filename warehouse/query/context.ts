// The context of every question: the reader, the snapshot, the account and the time.
import type { Engine } from '../engine.ts';
import { narrowed } from './narrowed.ts';
import { localReader, type Reader } from './reader.ts';
import { settlingOf, type Settling } from './settling.ts';

/** An account that is pulled. */
export interface WarehouseAccount {
  id: string;
  /** The account's own IANA zone: chats and reports are pulled by days of this zone. */
  timezone: string;
  /** First day to pull, YYYY-MM-DD in that zone. */
  since: string;
  /** Its chats are made up by the embedded service. */
  simulated?: boolean;
}

/** A published snapshot. */
export interface PublishedSnapshot {
  id: string;
  /** ISO instant. */
  published_at: string;
}

/** The same, open to be asked. */
export interface Snapshot extends PublishedSnapshot {
  engine: Engine;
  /** The secret of this installation by which names become pseudonyms; without one they are the same everywhere. */
  pseudonyms?: string | undefined;
}

export interface QueryContext {
  reader: Reader;
  /** As the reader may see it. */
  snapshot: Snapshot;
  account: WarehouseAccount;
  /** Unix seconds: the present, or the requested past instant. States of periods refer to this moment. */
  now: number;
  /** How long periods of a metric keep changing, by metric id; unlisted metrics use the default. */
  settling: ReadonlyMap<string, Settling>;
}

/** The context of a reader's question to a snapshot, with settling times from its ledger. `now` in Unix seconds. */
export const contextIn = async (
  reader: Reader,
  snapshot: Snapshot,
  account: WarehouseAccount,
  now: number,
): Promise<QueryContext> => ({
  ...{ reader, account, now },
  snapshot: reader.rows
    ? { ...snapshot, engine: await narrowed(snapshot.engine, reader.rows, snapshot.pseudonyms) }
    : snapshot,
  settling: await settlingOf(snapshot.engine, account.id),
});

/** A snapshot as of the moment when it was published: the same answers at any later time. */
export const contextWhenPublished = (
  reader: Reader,
  snapshot: Snapshot,
  account: WarehouseAccount,
): Promise<QueryContext> => contextIn(reader, snapshot, account, Math.floor(Date.parse(snapshot.published_at) / 1000));

/** The writer's current file, for the program's own questions: its path is its id, and settling times are unknown. */
export const ownContext = (engine: Engine, account: WarehouseAccount, now: number): QueryContext => ({
  reader: localReader,
  snapshot: { id: engine.file, published_at: new Date(now * 1000).toISOString(), engine },
  account,
  now,
  settling: new Map(),
});
